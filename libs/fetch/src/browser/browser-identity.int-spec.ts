import type { LeaseRequest } from './pool-options.js';
import { poolRequest, openTestPool } from '../../test/test-pool.js';

/** What the page, a frame of another site and a worker each see. */
const READ_IDENTITY = `(async () => {
  const read = \`({ userAgent: navigator.userAgent, brands: navigator.userAgentData?.brands.map((one) => one.brand),
    languages: navigator.languages, platform: navigator.platform, webdriver: navigator.webdriver === true })\`;
  const worker = new Worker(URL.createObjectURL(new Blob(['postMessage(' + read + ')'])));
  const inWorker = await new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
  const inFrame = await new Promise((resolve) => {
    onmessage = ({ data }) => resolve(data);
    const frame = document.createElement('iframe');
    frame.src = 'http://127.0.0.1/frame';
    document.body.append(frame);
  });
  return {
    page: (0, eval)(read), inWorker, inFrame,
    plugins: [...navigator.plugins].map(({ name }) => name), pluginsTag: String(navigator.plugins),
    mimeTypes: navigator.mimeTypes.length, chrome: typeof window.chrome,
    permission: Notification.permission, query: (await navigator.permissions.query({ name: 'notifications' })).state,
    isOuterLarger: outerHeight > innerHeight, touch: navigator.maxTouchPoints, width: innerWidth,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone, locale: Intl.DateTimeFormat().resolvedOptions().locale,
    rtc: typeof RTCPeerConnection, transport: typeof WebTransport, opened: String(window.open('/')),
    native: [navigator.permissions.query, Object.getOwnPropertyDescriptor(Navigator.prototype, 'plugins').get, Function.prototype.toString]
      .every((one) => /\\[native code\\]/.test(Function.prototype.toString.call(one))),
    geolocation: await new Promise((resolve) => navigator.geolocation.getCurrentPosition(() => resolve('given'), () => resolve('denied'))),
  };
})()`;

const FRAME = `<script>parent.postMessage({ userAgent: navigator.userAgent, brands: navigator.userAgentData?.brands.map((one) => one.brand),
  languages: navigator.languages, platform: navigator.platform, webdriver: navigator.webdriver === true }, '*')</script>`;

interface Seen {
  readonly userAgent: string;
  readonly brands: readonly string[];
  readonly languages: readonly string[];
  readonly platform: string;
  readonly webdriver: boolean;
}

async function look(changes: Partial<LeaseRequest>) {
  let headers: Readonly<Record<string, unknown>> = {};
  await using open = await openTestPool({}, (url, request, response) => {
    if (url.pathname === '/') headers = request.headers;
    response.setHeader('content-type', 'text/html');
    response.end(url.pathname === '/frame' ? FRAME : '<body>');
  });
  const seen = await open.pool.withPage(poolRequest(changes), async ({ page }) => {
    await page.goto('http://localhost/');
    return page.evaluate<Record<string, unknown> & Record<'page' | 'inWorker' | 'inFrame', Seen>>(
      READ_IDENTITY,
    );
  });
  return { seen, headers };
}

describe('the identity of the browser for a page and its server', () => {
  it('is honest: the real browser, with our name and address', async () => {
    const { seen, headers } = await look({});
    const expected =
      /^Mozilla\/5\.0 \(.+\) AppleWebKit\/537\.36 .+ Chrome\/\d+\.0\.0\.0 Safari\/537\.36 TestBot\/1\.0 \(\+https:\/\/bot\.example\)$/;
    expect(headers['user-agent']).toMatch(expected);
    expect(seen.page.userAgent).toBe(headers['user-agent']);
    expect(seen).toMatchObject({
      rtc: 'undefined',
      transport: 'undefined',
      opened: 'null',
      geolocation: 'denied',
    });
  });

  it.each([
    ['alike', { stealth: true }],
    ['alike, of a country', { stealth: true, country: 'DE' }],
    ['alike, a phone', { stealth: true, mobile: true, viewport: { width: 412, height: 915 } }],
    ['honest', {}],
  ])('is the same in page, frame of another site and worker: %s', async (_name, changes) => {
    const { seen, headers } = await look(changes);
    expect(seen.inFrame).toEqual(seen.page);
    expect(seen.inWorker).toEqual({ ...seen.page, platform: seen.inWorker.platform });
    expect(seen.page.userAgent).toBe(headers['user-agent']);
    expect(JSON.stringify([seen, headers])).not.toMatch(/headless/i);
    expect(seen.page.webdriver).toBe(false);
    expect(String(headers['accept-language'])).toContain(seen.page.languages[0]);
    for (const brand of seen.page.brands) expect(headers['sec-ch-ua']).toContain(brand);
  });

  it('looks like a desktop browser when it should', async () => {
    const { seen, headers } = await look({ stealth: true, country: 'JP' });
    expect(headers['user-agent']).not.toContain('TestBot');
    expect(headers['sec-ch-ua-mobile']).toBe('?0');
    expect(seen).toMatchObject({
      pluginsTag: '[object PluginArray]',
      mimeTypes: 2,
      chrome: 'object',
      permission: 'default',
      query: 'prompt',
      isOuterLarger: true,
      touch: 0,
      timezone: 'Asia/Tokyo',
      locale: 'ja-JP',
      native: true,
    });
    expect(seen['plugins']).toHaveLength(5);
  });

  it('looks like a phone when it should', async () => {
    const viewport = { width: 412, height: 915 };
    const { seen, headers } = await look({ mobile: true, viewport });
    expect(headers['user-agent']).toContain('Linux; Android 10; K');
    expect(headers['sec-ch-ua-mobile']).toBe('?1');
    expect(headers['sec-ch-ua-platform']).toBe('"Android"');
    expect(seen['touch']).toBeGreaterThan(0);
    expect(seen.page.platform).toContain('arm');
  });

  it('is not disguised where no override applies: requests of a shared worker', async () => {
    const agents = new Map<string, string | undefined>();
    const script = `onconnect = ({ ports: [port] }) => fetch('/sent').then(() => port.postMessage(navigator.userAgent))`;
    await using open = await openTestPool({}, (url, { headers }, response) => {
      agents.set(url.pathname, headers['user-agent']);
      const isScript = url.pathname === '/worker.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? script : '');
    });
    const seen = await open.pool.withPage(poolRequest(), async ({ page }) => {
      await page.goto('http://localhost/');
      return page.evaluate<string>(`new Promise((resolve) => {
        new SharedWorker('/worker.js').port.onmessage = ({ data }) => resolve(data);
      })`);
    });
    expect(agents.get('/')).toContain('TestBot');
    expect([seen, agents.get('/sent')]).toEqual([agents.get('/'), agents.get('/')]);
  });
});
