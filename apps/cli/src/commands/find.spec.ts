import { runTrawl, type TrawlRun } from '../../test/run-trawl.js';

const page = (no: number) => ({
  ...{ url: `https://a.example/${no}`, title: `Page ${no}`, snippet: 'a small site', score: 1 },
  ...{ highlights: [[2, 7]], resultNo: no },
});

const PASSAGE = '# Sites\n\nA small site.';

describe('trawl find', () => {
  const find = (
    args: readonly string[],
    { total = 60, status = 'completed', shown = {} } = {},
  ): Promise<TrawlRun> =>
    runTrawl(['find', 'j1', ...args], {
      shown,
      routes: {
        'GET /v1/crawl/j1/search': ({ path }) => {
          const { searchParams: query } = new URL(path, 'http://a.example');
          const first = Number(query.get('cursor') ?? 0);
          const end = Math.min(total, first + Number(query.get('limit') ?? 10));
          const passages = query.has('passages') ? { passages: [{ text: PASSAGE }] } : {};
          const results = Array.from({ length: end - first }, (_, at) => ({
            ...page(first + at + 1),
            ...passages,
          }));
          const next = end < total ? String(end) : null;
          const totals = { total, totalIsExact: total < 10_000 };
          return Response.json({
            id: 'j1',
            status,
            query: query.get('q'),
            ...totals,
            results,
            next,
          });
        },
      },
    });
  const paths = ({ api }: TrawlRun): string[] => api.calls.map(({ path }) => path);

  it('prints the best pages, and how many there are', async () => {
    const run = await find(['small', 'site']);
    expect(run).toMatchObject({ code: 0, err: '10 of 60 pages\n' });
    expect(run.out).toMatch(/^1\. Page 1\n {3}https:\/\/a\.example\/1\n {3}a small site\n\n2\. /);
    expect(paths(run)).toEqual(['/v1/crawl/j1/search?q=small+site']);
    expect((await find(['x'], { total: 0 })).err).toBe('No page matches\n');
    expect((await find(['x'], { total: 10_000, status: 'running' })).err).toBe(
      '10 of 10000 or more pages so far: the job is running\n',
    );
  });

  it('reads on until the limit', async () => {
    const run = await find(['a', '--limit', '55', '--json', '--quiet']);
    expect(paths(run).map((path) => path.split('?q=a&')[1])).toEqual([
      'limit=50',
      'limit=5&cursor=50',
    ]);
    const { results, next } = JSON.parse(run.out) as { results: object[]; next: string };
    expect([results.length, next, run.err]).toEqual([55, '55', '']);
  });

  it('shows passages, of ten pages a request', async () => {
    const run = await find(['a', '-n', '12', '--passages', '2']);
    expect(paths(run).map((path) => path.split('?q=a&')[1])).toEqual([
      'limit=10&passages=2',
      'limit=2&cursor=10&passages=2',
    ]);
    expect(run.out).toMatch(/a small site\n\n {3}# Sites\n {3}\n {3}A small site\.\n\n2\. /);
  });

  it('marks the words on a terminal', async () => {
    const { out } = await find(['small', '-n', '1'], { shown: { output: true } });
    expect(out).toContain('a \u001b[1m\u001b[33msmall\u001b[39m\u001b[22m site\n');
  });
});
