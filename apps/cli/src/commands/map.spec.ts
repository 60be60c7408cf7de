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

  it('reads other lists of pages by name', async () => {
    const map = (...args: readonly string[]) =>
      runTrawl(['map', 'https://a.example/', ...args], {
        routes: { 'POST /v1/map': () => Response.json({ links: [], total: 0 }) },
      });
    const { api } = await map('--source', 'llms.txt,feeds');
    expect(api.bodiesOf('POST', '/v1/map')).toMatchObject([{ sources: ['llms.txt', 'feeds'] }]);
    const { code, err } = await map('--source', 'sitemap');
    expect([code, err]).toEqual([2, expect.stringContaining('is none of llms.txt, feeds')]);
  });
});
