import { runTrawl } from '../../test/run-trawl.js';

describe('trawl map', () => {
  it('prints the URLs, and says on standard error that there are more', async () => {
    const links = ['https://a.example/1', 'https://a.example/2'];
    const map = (found: object, ...args: readonly string[]) =>
      runTrawl(['map', 'https://a.example/', ...args], {
        routes: { 'POST /v1/map': () => Response.json({ links, total: 2, ...found }) },
      });
    const out = 'https://a.example/1\nhttps://a.example/2\n';
    expect(await map({})).toMatchObject({ code: 0, out, err: '' });
    const cut = await map({ cuts: ['limit'] });
    expect(cut).toMatchObject({ code: 0, out });
    expect(cut.err).toMatch(/^trawl: the site has more than these 2 URLs: see --limit/);
    expect((await map({ cuts: ['limit'] }, '--quiet')).err).toBe('');
  });
});
