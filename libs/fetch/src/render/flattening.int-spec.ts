import { renderSuite } from '../../test/render-suite.js';

/** Thirteen places of text that `document.documentElement.outerHTML` leaves out. */
const PLACES = `<!doctype html><meta charset=utf-8><title>Places</title><body>
<p>T01 light</p>
<open-card><span>T02 default slot</span><b slot=foot>T03 named slot</b></open-card>
<nested-outer><i>T06 through two roots</i></nested-outer>
<div id=declared><template shadowrootmode=open><p>T07 declared root</p><slot></slot></template>T08 its slot</div>
<iframe srcdoc="<p>T09 srcdoc</p><iframe srcdoc='<p>T10 nested frame</p>'></iframe>"></iframe>
<iframe src="/inner"></iframe>
<empty-slot></empty-slot>
<late-card></late-card>
<script>
const define = (name, html) => customElements.define(name, class extends HTMLElement {
  connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = html; } });
define('nested-inner', '<em>T05 inner root</em><slot></slot>');
define('open-card', '<style>p { color: red }</style><p>T04 shadow</p><slot></slot><hr><slot name=foot></slot>');
define('nested-outer', '<nested-inner><slot></slot></nested-inner>');
define('empty-slot', '<slot>T12 fallback</slot>');
setTimeout(() => define('late-card', '<p>T13 late root</p>'), 150);
</script>`;

const INNER = `<!doctype html><base href="/deep/"><p>T11 same origin</p><a href="page">link</a>
<in-frame></in-frame><script>customElements.define('in-frame', class extends HTMLElement {
  connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<p>T14 root in frame</p>'; } });</script>`;

const CLOSED = `<!doctype html><body><closed-card>light stays</closed-card><script>
document.querySelector('closed-card').attachShadow({ mode: 'closed' }).innerHTML = '<p>hidden</p><slot></slot>';
</script>`;

const FORMS = `<!doctype html><body><form>
<input name=user value=ada><input type=password name=p value=hunter2><input type=text autocomplete=current-password value=hunter3>
<input name=firstChild><input name=attributes><input name=nodeType><input name=shadowRoot>
</form><img name=body><img name=documentElement><template><p>not rendered</p></template><p>after</p>
<pre>

keeps
</pre><svg viewBox="0 0 1 1"><linearGradient id=g></linearGradient></svg><noscript><p>n &amp; o</p></noscript>`;

describe('the serialised page', () => {
  const framed = Promise.withResolvers<void>();
  const suite = renderSuite({
    '/places': PLACES,
    '/late-frame': `${'<iframe src="/framed?0"></iframe>'.repeat(3)}<iframe src="/framed?last"></iframe>
      <script>setTimeout(() => { fetch('/framed-now') }, 800)</script>`,
    '/framed': async ({ url, response }) => {
      if (url.search === '?last') await framed.promise;
      response.setHeader('content-type', 'text/html');
      response.end(`<p>framed ${url.search}</p>`);
    },
    '/framed-now': ({ response }) => {
      framed.resolve();
      response.end();
    },
    '/inner': INNER,
    '/closed': CLOSED,
    '/forms': FORMS,
    '/deep-nesting': `<!doctype html><body><x-a></x-a><script>
      customElements.get('x-a') ?? customElements.define('x-a', class extends HTMLElement {
        connectedCallback() { const root = this.attachShadow({ mode: 'open' }); let at = root;
          for (let i = 0; i < 2000; i++) at = at.appendChild(document.createElement('div'));
          at.textContent = 'the bottom'; } });</script>`,
    '/frames-in-frames': ({ url, response }) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<p>level ${url.search}</p><iframe src="/frames-in-frames?${url.search.length}"></iframe>`,
      );
    },
    '/nested': ({ url, response }) => {
      const level = Number(url.searchParams.get('level') ?? 0);
      const inner = level < 3 ? `<iframe src="/nested?level=${level + 1}"></iframe>` : '';
      setTimeout(() => {
        response.setHeader('content-type', 'text/html');
        response.end(`<p>level ${level} end</p>${inner}`);
      }, 250);
    },
    '/hidden-frame':
      '<p>seen</p><iframe style="display:none" srcdoc="<p>unseen</p>"></iframe><iframe src="http://127.0.0.2:1/x"></iframe>',
    '/frameset':
      '<!doctype html><frameset cols="50%,50%"><frame src="/inner"><frame src="/closed"></frameset>',
    '/xhtml': ({ response }) => {
      response.setHeader('content-type', 'application/xhtml+xml');
      response.end(
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>X</title><script/></head><body><p>a<br/>b</p></body></html>',
      );
    },
  });

  it('has the text of a frame whose document is there after the page rests', async () => {
    // The fourth request of an address counts as a poll, for which nothing waits.
    expect((await suite.render('/late-frame')).html).toContain('framed ?last');
  });

  it('holds every place of text once, in rendered order', async () => {
    const { html } = await suite.render('/places');
    const body = html.replace(/<script>[^]*?<\/script>/g, '');
    const found = [...body.matchAll(/T\d\d/g)].map(([mark]) => mark);
    expect(found).toEqual('T01 T04 T02 T03 T05 T06 T07 T08 T09 T10 T11 T14 T12 T13'.split(' '));
    expect(body).not.toContain('color: red');
    expect(body).toContain('<div data-frame-src="/inner">');
  });

  it('makes addresses inside a frame absolute by the base of the frame', async () => {
    expect((await suite.render('/places')).html).toContain(
      `<a href="${suite.site.url('/deep/page')}">`,
    );
  });

  it('leaves closed roots alone', async () => {
    const { html } = await suite.render('/closed');
    expect(html).toContain('<closed-card>light stays</closed-card>');
  });

  it('keeps no password, and reads past names that shadow the DOM', async () => {
    const { html } = await suite.render('/forms');
    expect(html).toContain('value="ada"');
    expect(html).not.toContain('hunter');
    expect(html).not.toContain('not rendered');
    expect(html).toContain('<p>after</p>');
    expect(html).toContain('<pre>\n\nkeeps\n</pre>');
    expect(html).toContain('<linearGradient id="g">');
    expect(html).toContain('<noscript><p>n &amp; o</p></noscript>');
  });

  it('does not overflow on deep nesting', async () => {
    expect((await suite.render('/deep-nesting')).html).toContain('the bottom');
  });

  it('inlines frames in frames to a bound', async () => {
    const { html } = await suite.render('/frames-in-frames');
    expect(html.match(/data-frame-src/g)?.length).toBeLessThanOrEqual(5);
    expect(html).toContain('<iframe');
  });

  it('waits for nested frames that load slowly', async () => {
    const { html } = await suite.render('/nested');
    for (const level of [0, 1, 2, 3]) expect(html).toContain(`level ${level} end`);
  });

  it('leaves hidden frames, and those of other origins, as frames', async () => {
    const { html } = await suite.render('/hidden-frame');
    expect(html).toContain('<iframe src="http://127.0.0.2:1/x"></iframe>');
    expect(html).not.toContain('data-frame-src');
  });

  it('shows the frames of a frameset', async () => {
    const { html } = await suite.render('/frameset');
    expect(html).toContain('T11 same origin');
    expect(html).toContain('light stays');
  });

  it('writes XHTML as HTML', async () => {
    const page = await suite.render('/xhtml');
    expect(page.html).toContain('<script></script></head><body><p>a<br>b</p>');
    expect(page.contentType).toBe('text/html; charset=utf-8');
  });

  it('is cut at the byte cap, and reports it', async () => {
    const page = await suite.render('/places', { maxBytes: 300 });
    expect(page.body.length).toBeLessThanOrEqual(300);
    expect(page.isCut).toBe(true);
  });
});
