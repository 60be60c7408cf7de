import { runTrawl } from '../../test/run-trawl.js';

const HOSTILE = 'T\u001b[31m';
const RESULT = {
  position: 1,
  title: HOSTILE,
  url: 'https://a.example/',
  snippet: 's',
  markdown: null,
};
const routes = { 'POST /v1/search': () => Response.json({ query: 'q', results: [RESULT] }) };
const BOLD = '1. \u001b[1mT[31m\u001b[22m\n';

describe('colours', () => {
  it.each<[string, { output?: boolean }, Record<string, string>, string]>([
    ['are on a terminal, with no others', { output: true }, {}, BOLD],
    ['are not in a pipe', {}, {}, `1. ${HOSTILE}\n`],
    ['are not there with NO_COLOR', { output: true }, { NO_COLOR: '1' }, '1. T[31m\n'],
    [
      'are in a pipe with FORCE_COLOR',
      {},
      { FORCE_COLOR: '1' },
      `1. \u001b[1m${HOSTILE}\u001b[22m\n`,
    ],
    ['are off with FORCE_COLOR=0', { output: true }, { FORCE_COLOR: '0' }, '1. T[31m\n'],
  ])('%s', async (_what, shown, env, line) => {
    const { out } = await runTrawl(['search', 'q'], { routes, shown, env });
    expect(out.slice(0, line.length)).toBe(line);
  });

  it('mark errors by their stream, not by that of the results', async () => {
    const red = '\u001b[31mtrawl:\u001b[39m ';
    const shown = await runTrawl(['jobs', 'none'], { shown: { errors: true } });
    expect(shown.err.startsWith(red)).toBe(true);
    const piped = await runTrawl(['jobs', 'none'], { shown: { output: true } });
    expect(piped.err.startsWith('trawl: ')).toBe(true);
  });

  it('are never in JSON', async () => {
    const shown = { output: true };
    const { out } = await runTrawl(['search', 'q', '--json'], { routes, shown });
    expect(out).not.toContain('\u001b');
  });
});
