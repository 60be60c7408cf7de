import { BlockedUrlError } from '@app/egress';
import { renderSuite } from '../../test/render-suite.js';

const LONG = 'enough text to be a page of its own and not a shell. '.repeat(6);

/** Nothing listens there. */
const AWAY = 'http://127.0.0.1:1/';

describe('loading a page', () => {
  const suite = renderSuite({
    '/page': `<p>${LONG}`,
    '/json': ({ response }) => void reply(response, 'application/json', '{"a":"é"}'),
    '/text': ({ response }) => void reply(response, 'text/plain; charset=utf-8', '<p>not markup'),
    '/feed': ({ response }) => void reply(response, 'application/rss+xml', '<rss/>'),
    '/pdf': ({ response }) => void reply(response, 'application/pdf', '%PDF-1.4'),
    '/attached': ({ response }) => {
      response.setHeader('content-disposition', 'attachment; filename=a.pdf');
      reply(response, 'application/pdf', '%PDF-1.4 attached');
    },
    '/zip': ({ response }) => void reply(response, 'application/zip', 'PK'),
    '/big-text': ({ response }) => void reply(response, 'text/plain', 'x'.repeat(3_000_000)),
    '/nothing': ({ response }) => void response.writeHead(204).end(),
    '/error': ({ response }) => void response.writeHead(503, { 'retry-after': '7' }).end('<p>busy'),
    '/robots-tags': ({ response }) => {
      response.setHeader('x-robots-tag', ['otherbot: noindex', 'nofollow']);
      reply(response, 'text/html', '<p>page');
    },
    '/bare-error': ({ response }) => void response.writeHead(500).end(),
    '/to-page': ({ response }) => void response.writeHead(301, { location: '/hop' }).end(),
    '/hop': ({ response }) => void response.writeHead(307, { location: '/page' }).end(),
    '/by-script': '<script>location.href = "/page"</script>',
    '/by-script-to-json': '<script>location.href = "/json"</script>',
    '/by-script-to-nowhere': '<script>location.href = "http://127.0.0.1:1/"</script>',
    '/echo': ({ request, response }) => void reply(response, 'text/html', echoed(request.headers)),
    '/to-other-host': ({ url, response }) => {
      response.writeHead(302, { location: `http://localhost:${url.port}/echo` }).end();
    },
    '/third-party': ({ url, response }) =>
      void reply(
        response,
        'text/html',
        `<script src="http://localhost:${url.port}/other.js"></script><script src="/own.js"></script>`,
      ),
    '/refreshes-away': `<meta http-equiv=refresh content="0;url=${AWAY}"><p>${LONG}`,
    '/script-away': `<p>${LONG}<script>location.href = "${AWAY}"</script>`,
    '/opens-away': `<p>${LONG}<script>open("${AWAY}", "_self")</script>`,
    '/frame-away': `<p>${LONG}<iframe srcdoc="<script>top.location = '${AWAY}'</script>"></iframe>`,
    '/link-away': `<p>${LONG}<a id=away href="${AWAY}">away</a>`,
    '/server-away': ({ response }) => void response.writeHead(302, { location: AWAY }).end(),
    '/heavy': `<img src=/a.png><link rel=stylesheet href=/s.css><p style="font-family: f">${LONG}</p><video src=/v.mp4></video>`,
    '/s.css': ({ response }) =>
      void reply(response, 'text/css', '@font-face { font-family: f; src: url(/f.woff2) }'),
    '/broken': ({ socket }) => void socket.destroy(),
    '/not-http': ({ socket }) =>
      void socket.end('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\nno gzip'),
    '/login': ({ response }) =>
      void response.writeHead(401, { 'www-authenticate': 'Basic realm=x' }).end('<p>login'),
    '/tarpit': () => undefined,
    '/half': ({ response }) => {
      response.setHeader('content-type', 'text/html');
      response.write(`<p>${LONG}`);
    },
  });

  it.each([
    ['/json', 'application/json', '{"a":"é"}'],
    ['/text', 'text/plain; charset=utf-8', '<p>not markup'],
    ['/feed', 'application/rss+xml', '<rss/>'],
    ['/pdf', 'application/pdf', '%PDF-1.4'],
    ['/attached', 'application/pdf', '%PDF-1.4 attached'],
    ['/by-script-to-json', 'application/json', '{"a":"é"}'],
  ])('%s is no markup and comes as it was sent', async (path, contentType, body) => {
    const page = await suite.render(path);
    expect(page).toMatchObject({ contentType, html: body, isRendered: false, statusCode: 200 });
  });

  it('cuts content that is no markup at the byte cap', async () => {
    const page = await suite.render('/big-text', { maxBytes: 1_000_000 });
    expect(page.body.length).toBe(1_000_000);
    expect(page.isCut).toBe(true);
  });

  it.each([
    ['/zip', 'parse_error', /is a download/],
    ['/broken', 'network', /closed the connection without an answer/],
    ['/not-http', 'parse_error', /decompressed/],
  ])('%s fails as %s', async (path, errorClass, problem) => {
    const failure = await suite.failure(path);
    expect(failure).toMatchObject({ errorClass, problem: expect.stringMatching(problem) });
  });

  it('names a refused connection', async () => {
    expect(await suite.failure('/by-script-to-nowhere')).toMatchObject({
      errorClass: 'network',
      problem: 'Fetch failed: the page went on to an address that could not be loaded',
    });
  });

  it.each([
    ['/nothing', 204, ''],
    ['/error', 503, 'busy'],
    ['/bare-error', 500, ''],
    ['/login', 401, 'login'],
  ])('%s is a page with its status %i', async (path, statusCode, text) => {
    const page = await suite.render(path);
    expect(page.statusCode).toBe(statusCode);
    expect(page.html).toContain(text);
  });

  it('returns the headers of the final document', async () => {
    expect((await suite.render('/error')).headers['retry-after']).toBe('7');
  });

  it('returns headers for robots one by one', async () => {
    const { headers, robotsTags } = await suite.render('/robots-tags');
    expect(robotsTags).toEqual(['otherbot: noindex', 'nofollow']);
    expect(headers['x-robots-tag']).toBe('otherbot: noindex, nofollow');
    expect((await suite.render('/error')).robotsTags).toBe(undefined);
  });

  it.each([
    ['/to-page', ['/hop', '/page'], ['/to-page 301', '/hop 307']],
    ['/by-script', ['/page'], []],
  ])('%s: asks before it goes on, and names the hops', async (path, asked, hops) => {
    const targets: string[] = [];
    const page = await suite.render(path, {
      onRedirect: async (target) => void targets.push(target.pathname),
    });
    expect(targets).toEqual(asked);
    expect(page.url).toBe(suite.site.url('/page'));
    expect(page.redirects.map((hop) => `${new URL(hop.url).pathname} ${hop.statusCode}`)).toEqual(
      hops,
    );
    expect(page.html).toContain(LONG.trim());
  });

  it.each(['/to-page', '/by-script'])(
    '%s: what is thrown when asked ends the fetch, and nothing is sent there',
    async (path) => {
      const refusal = new Error('robots say no');
      const onRedirect = async (target: URL): Promise<void> => {
        if (target.pathname === '/page') throw refusal;
      };
      await expect(suite.render(path, { onRedirect })).rejects.toBe(refusal);
      expect(suite.site.count('/page')).toBe(0);
    },
  );

  it("sends headers of the caller to the page's own origin only", async () => {
    const headers = { 'x-own': 'secret', 'user-agent': 'Mine/1.0' };
    await suite.render('/third-party', { headers });
    const seen = (path: string) => suite.site.requests(path)[0]?.headers['x-own'];
    expect(seen('/third-party')).toBe('secret');
    expect(seen('/own.js')).toBe('secret');
    expect(suite.site.requests('/other.js')).toHaveLength(1);
    expect(seen('/other.js')).toBeUndefined();
    expect(suite.site.requests('/own.js')[0]?.headers['user-agent']).toBe('Mine/1.0');
  });

  it('leaves the headers behind on a redirect to another origin', async () => {
    const page = await suite.render('/to-other-host', { headers: { 'x-own': 'secret' } });
    expect(suite.site.requests('/to-other-host')[0]?.headers['x-own']).toBe('secret');
    expect(page.html).toContain('localhost');
    expect(page.html).not.toContain('secret');
  });

  it("sends the cookies of a Cookie header to the page's host only, others by their domain", async () => {
    const render = { cookies: [{ name: 'wide', value: '3', domain: 'localhost', path: '/' }] };
    const cookies = 'a=1; b="two"; broken; c=';
    expect((await suite.render('/echo', { cookies, render })).html).toContain('a=1; b="two"; c=');
    const other = await suite.render('/to-other-host', { cookies, render });
    expect(other.html).toContain('wide=3');
    expect(other.html).not.toContain('a=1');
  });

  it('requests no pictures, fonts or media', async () => {
    await suite.render('/heavy', { waitForMs: 300 });
    expect([...suite.site.countsByPath().keys()].sort()).toEqual(['/heavy', '/s.css']);
  });

  it('requests them for a screenshot', async () => {
    await suite.render('/heavy', { actions: [{ type: 'screenshot' }], waitForMs: 300 });
    const asked = [...suite.site.countsByPath().keys()];
    expect(asked).toEqual(expect.arrayContaining(['/a.png', '/f.woff2']));
  });

  it.each(['/tarpit'])('%s never responds and fails by the deadline', async (path) => {
    const startedAt = performance.now();
    const failure = await suite.failure(path, { deadlineMs: 1_500 });
    expect(failure.errorClass).toBe('timeout');
    expect(performance.now() - startedAt).toBeLessThan(45_000);
  });

  it('takes what there is of a document that never ends', async () => {
    const page = await suite.renderInTime('/half', 3_000);
    expect(page.html).toContain('enough text');
    expect(page.isUnsettled).toBe(true);
  });

  it('ends at once when the caller gives up', async () => {
    const abort = new AbortController();
    const failure = suite.failure('/tarpit', { signal: abort.signal });
    setTimeout(() => abort.abort(), 200);
    expect(await failure).toMatchObject({ problem: 'Fetch failed: the request was cancelled' });
  });

  it('throws when the proxy refused the page itself', async () => {
    suite.pages.refusals.set(suite.site.url('/broken'), 'blocked');
    await expect(suite.render('/broken')).rejects.toBeInstanceOf(BlockedUrlError);
  });

  it.each(['/refreshes-away', '/script-away', '/opens-away', '/frame-away'])(
    '%s leads to an address that the guard refuses, and stays as it is',
    async (path) => {
      suite.pages.refusals.set('127.0.0.1:1', 'blocked');
      const page = await suite.render(path, { waitForMs: 300 });
      expect(page).toMatchObject({ statusCode: 200, url: suite.site.url(path) });
      expect(page.html).toContain('not a shell');
      expect(page.refusedNavigation).toBe(AWAY);
      const onRedirect = async ({ href }: URL): Promise<void> => {
        throw new BlockedUrlError('parse', href);
      };
      const again = await suite.render(path, { waitForMs: 300, onRedirect });
      expect(again).toMatchObject({ url: page.url, refusedNavigation: AWAY });
    },
  );

  it('throws when the server of the page leads there, and fails an action that does', async () => {
    suite.pages.refusals.set('127.0.0.1:1', 'blocked');
    await expect(suite.render('/server-away')).rejects.toThrow(BlockedUrlError);
    const click = { type: 'click', selector: '#away' } as const;
    const { problem } = await suite.failure('/link-away', { actions: [click, click] });
    expect(problem).toContain('actions[0] (click) failed: it led to an address that is blocked');
  });

  it('does not throw when the proxy refused a part of it', async () => {
    suite.pages.refusals.set('http://10.0.0.1/pixel', 'blocked');
    expect((await suite.render('/page')).statusCode).toBe(200);
  });

  it.each([
    ['network', 'network'],
    ['timeout', 'timeout'],
  ] as const)("names a proxy's trouble of kind %s", async (kind, errorClass) => {
    suite.pages.refusals.set(`127.0.0.1:${suite.site.port}`, kind);
    expect(await suite.failure('/broken')).toMatchObject({ errorClass });
  });
});

interface Reply {
  writeHead(status: number, headers: Record<string, string>): Reply;
  end(body: string): void;
}

function reply(response: Reply, contentType: string, body: string): void {
  response.writeHead(200, { 'content-type': contentType }).end(body);
}

function echoed(headers: object): string {
  return `<p>${LONG}</p><p>${JSON.stringify(headers).replaceAll('\\"', '"')}</p>`;
}
