import { pageRequest } from '../../test/local-pages.js';
import { renderSuite } from '../../test/render-suite.js';
import { leaseRequest } from '../rungs/headless.rung.js';
import { renderPage } from './render-page.js';
import { casesOf, isFullRun } from '../../../../test/setup/full-run.js';

const TAMPERING = `<!doctype html><title>T</title><p>the content</p><script>
for (const name of ['map', 'push', 'pop', 'join', 'from']) Array.prototype[name] = () => { throw new Error('mine'); };
JSON.stringify = () => 'mine'; JSON.parse = () => ({});
Object.prototype.value = 'mine'; Promise.prototype.then = () => { throw 1; };
document.querySelector = document.querySelectorAll = document.getElementsByTagName = () => [];
Object.defineProperty(Element.prototype, 'outerHTML', { get: () => '<p>mine</p>' });
Object.defineProperty(Element.prototype, 'shadowRoot', { get: () => { throw 1; } });
Object.defineProperty(Node.prototype, 'textContent', { get: () => '' });
window.MutationObserver = null; window.setTimeout = () => 0; String.prototype.replace = () => 'mine';
</script><iframe srcdoc="<p>framed</p>"></iframe>`;

const text = 'some text of the page that is long enough to be more than a shell. '.repeat(5);

describe('a hostile page', () => {
  let bounces = 0;
  const suite = renderSuite({
    '/tampering': TAMPERING,
    '/busy-from-start': `<p>before the loop</p><script>while (true) {}</script><p>after</p>`,
    '/busy-later': `<p>${text}</p><script>setTimeout(() => { while (true) {} }, 30)</script>`,
    '/busy-again': `<p>${text}</p><script>setInterval(() => { const end = Date.now() + 1e9; while (Date.now() < end) {} }, 1)</script>`,
    '/growing': `<p>${text}</p><div id=d></div><script>setInterval(() => { for (let i = 0; i < 50; i++) d.append(document.createElement('p'), 'more and more '); }, 20)</script>`,
    '/clock': `<p>${text}</p><b id=c></b><script>setInterval(() => { c.textContent = Date.now(); }, 20)</script>`,
    '/huge': `<p>top</p><script>let s = ''; for (let i = 0; i < 15e4; i++) s += '<i>x</i>'; document.body.insertAdjacentHTML('beforeend', s)</script>`,
    '/huge-shadow': `<p>top</p><x-h></x-h><script>let s = ''; for (let i = 0; i < 15e4; i++) s += '<i>x</i>'; document.querySelector('x-h').attachShadow({ mode: 'open' }).innerHTML = s</script>`,
    '/dialogs': `<p>${text}</p><script>for (let i = 0; i < 20; i++) { alert(i); confirm(i); prompt(i); } document.body.append('after dialogs')</script>`,
    '/dialog-loop': `<p>${text}</p><script>setInterval(() => alert('again'), 1)</script>`,
    '/rewriting': `<p>first</p><script>let n = 0; setInterval(() => { document.open(); document.write('<p>${text}' + (++n)); document.close(); }, 50)</script>`,
    '/stopping': `<p>${text}</p><script>window.stop()</script><p>never parsed</p>`,
    '/refreshing': `<meta http-equiv=refresh content="0;url=/refreshing?again"><p>${text}</p>`,
    '/refresh-once': '<meta http-equiv=refresh content="0;url=/arrived"><p>wait</p>',
    '/arrived': `<p>arrived ${text}</p>`,
    '/leaving': `<p>${text}</p><script>addEventListener('beforeunload', (e) => { e.preventDefault(); e.returnValue = 'stay'; }); location = '/arrived'</script>`,
    '/printing': `<p>${text}</p><script>print(); print(); document.body.append('after print')</script>`,
    '/popups': `<p>${text}</p><script>for (let i = 0; i < 5; i++) open('/arrived')</script>`,
    '/reloading': `<p>${text}</p><script>location.reload()</script>`,
    '/bounce': ({ response }) => {
      bounces++;
      response.writeHead(302, { location: `/bounce?${bounces}` }).end();
    },
    '/frames': `<p>${text}</p>${'<iframe srcdoc="<p>framed</p>"></iframe>'.repeat(isFullRun ? 200 : 50)}`,
    '/workers': `<p>${text}</p><script>new Worker(URL.createObjectURL(new Blob(['while (true) {}'])))</script>`,
    '/crash': '<p>x</p>',
  });

  /** Limits are far beyond the deadline, for a busy machine; what they bound would never end. */
  const within = async <T>(ms: number, work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const result = await work();
    expect(performance.now() - startedAt).toBeLessThan(ms);
    return result;
  };

  it('cannot reach the code that reads it', async () => {
    const page = await suite.render('/tampering');
    const html = page.html.replace(/<script>[^]*<\/script>/, '');
    expect(html).toContain('<p>the content</p>');
    expect(html).toContain('<p>framed</p>');
    expect(html).not.toContain('<p>mine</p>');
  });

  it.each(casesOf(['/busy-later'], { full: ['/busy-from-start', '/busy-again'] }))(
    '%s never gives its thread back: it is stopped and read, or fails within its deadline',
    async (path) => {
      const page = await suite.renderInTime(path, 3_000);
      expect(page).toMatchObject({ isUnsettled: true, isCut: true });
      expect(page.html).toContain('<p>');
    },
  );

  it.each(
    casesOf<[string, boolean]>([['/growing', true]], {
      full: [
        ['/clock', false],
        ['/dialog-loop', false],
      ],
    }),
  )('%s never stops changing and is read in time (unsettled: %s)', async (path, isUnsettled) => {
    const page = await suite.renderInTime(path, 3_000);
    expect(page.html).toContain('long enough');
    expect(page.isUnsettled ?? false).toBe(isUnsettled);
  });

  it.each(casesOf(['/huge-shadow'], { full: ['/huge'] }))('%s is read to the cap', async (path) => {
    const page = await within(80_000, () => suite.render(path, { maxBytes: 1_000_000 }));
    // On a busy machine time may end before room does.
    expect(page.body.length).toBeGreaterThan(100_000);
    expect(page.body.length).toBeLessThanOrEqual(1_000_000);
    expect(page.isCut).toBe(true);
  });

  it.each<[string, string, number?]>([
    ['/dialogs', 'after dialogs'],
    ['/printing', 'after print'],
    ['/refresh-once', 'arrived some text'],
    ['/leaving', 'arrived some text'],
    ['/popups', 'long enough'],
    ['/workers', 'long enough'],
    ['/frames', '<p>framed</p>'],
    // Its parser waits for the rest until there is no more time.
    ['/stopping', 'long enough', 4_000],
  ])('%s is read once it is through with that', async (path, expected, deadlineMs = 8_000) => {
    const page = await suite.renderInTime(path, deadlineMs);
    expect(page.html).toContain(expected);
  });

  it.each(casesOf(['/refreshing'], { full: ['/reloading', '/rewriting'] }))(
    '%s replaces itself for ever and is read all the same',
    async (path) => {
      const page = await suite.renderInTime(path, 5_000);
      expect(page.html).toContain('long enough');
      expect(suite.site.count(path)).toBeLessThanOrEqual(20);
    },
  );

  it('that redirects for ever fails as http_error', async () => {
    expect(await suite.failure('/bounce')).toMatchObject({
      errorClass: 'http_error',
      problem: 'Fetch failed: too many redirects',
    });
    expect(bounces).toBeLessThanOrEqual(21);
  });

  it('with a crashing renderer fails as unknown, with a reason', async () => {
    const request = pageRequest(suite.site.url('/arrived'), { waitForMs: 5_000 });
    const failure = suite.pages.withPage(leaseRequest(request, false), async (lease) => {
      lease.page.once('load', () => void lease.cdp.send('Page.crash').catch(() => undefined));
      return renderPage(lease, request);
    });
    await expect(failure).rejects.toMatchObject({
      errorClass: 'unknown',
      message: 'the page crashed its renderer',
    });
  });
});
