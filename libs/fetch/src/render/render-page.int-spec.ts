import { until } from '@app/testing';
import { renderSuite } from '../../test/render-suite.js';

const LONG = 'enough text to be a page of its own and not a shell. '.repeat(6);
const SPA = `<!doctype html><title>S</title><div id=app></div><script>
fetch('/api').then((r) => r.text()).then((t) => { app.textContent = t; });
</script>`;

describe('a rendered page', () => {
  const suite = renderSuite({
    '/static': '<!doctype html><title>Plain</title><p>Hello &amp; welcome',
    '/spa': SPA,
    '/api': ({ response }) => void setTimeout(() => response.end('loaded by script'), 700),
    '/slow-spa': SPA.replace('/api', '/slow-api'),
    '/slow-api': ({ response }) => void setTimeout(() => response.end('loaded late'), 3_000),
    '/timer': `<p>${LONG}</p><script>setTimeout(() => document.body.append('timed'), 100)</script>`,
    '/long-poll': `<p>${LONG}</p><script>fetch('/poll')</script>`,
    '/poll': () => undefined,
    '/moved': ({ response }) => void response.writeHead(302, { location: '/static' }).end(),
  });

  it('is read with its doctype, status, headers and address', async () => {
    const page = await suite.render('/static');
    expect(page.html).toBe(
      '<!DOCTYPE html><html><head><title>Plain</title></head><body><p>Hello &amp; welcome</p></body></html>',
    );
    expect(page).toMatchObject({
      url: suite.site.url('/static'),
      statusCode: 200,
      contentType: 'text/html; charset=utf-8',
      isRendered: true,
      isCut: false,
      redirects: [],
    });
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.isUnsettled).toBeUndefined();
  });

  it('waits for what its script loads', async () => {
    expect((await suite.render('/spa')).html).toContain('<div id="app">loaded by script</div>');
  });

  it('waits longer for that when there is nothing else on it', async () => {
    expect((await suite.render('/slow-spa')).html).toContain('loaded late');
  });

  it('waits for a timer that is due soon', async () => {
    expect((await suite.render('/timer')).html).toContain('timed');
  });

  it('does not wait for a long poll as long as for that', async () => {
    // A busy machine may take longer by itself; a page that is waited for takes as long each time.
    await until(
      async () => {
        const startedAt = performance.now();
        const page = await suite.render('/long-poll');
        return page.isUnsettled === undefined && performance.now() - startedAt < 4_500;
      },
      { what: 'a page before the poll ends' },
    );
  });

  it('follows redirects and names each', async () => {
    const page = await suite.render('/moved');
    expect(page.url).toBe(suite.site.url('/static'));
    expect(page.redirects).toEqual([{ url: suite.site.url('/moved'), statusCode: 302 }]);
  });
});
