import { request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { MEDIA_PATHS } from '../site/action-routes.js';
import { articleMarker } from '../site/article.js';
import { type FixtureSite, startFixtureSite } from '../site/fixture-site.js';
import { HIDING_PLACES } from '../site/frame-routes.js';
import { SCRIPT_PATHS } from '../site/script-routes.js';
import { until } from '../until.js';
import { answersOf, type Trap } from './trap.js';
import { TRAPS } from './traps.js';

let site: FixtureSite;
beforeEach(async () => {
  site = await startFixtureSite({ otherOrigin: 'http://other.invalid' });
});
afterEach(() => site.close());

const textOf = async (path: string, headers: Record<string, string> = {}) =>
  (await fetch(site.url(path), { headers, redirect: 'manual' })).text();

/** As in the table, but quick to build. */
const small = (path: string): string => path.split('#')[0]?.replace(/\d{6,}/, '60000') ?? path;

describe('the table of traps', () => {
  it('has at least 75 of them, each address once', () => {
    expect(TRAPS.length).toBeGreaterThanOrEqual(75);
    expect(new Set(TRAPS.map(({ path }) => path)).size).toBe(TRAPS.length);
  });

  it('names the expected result of each: a text or a reason, a class or an action', () => {
    const isSaid = (trap: Trap): boolean =>
      answersOf(trap).every((answer) =>
        answer.status === 200
          ? (answer.markdownIncludes?.length ?? 0) > 0 || answer.partialReasons !== undefined
          : answer.errorClasses !== undefined ||
            answer.errorIncludes !== undefined ||
            answer.action !== undefined,
      );
    expect(TRAPS.filter((trap) => !isSaid(trap))).toEqual([]);
  });

  it('covers every harmful script', () => {
    const paths = new Set(TRAPS.map(({ path }) => path.split('?')[0]));
    expect(SCRIPT_PATHS.filter((path) => !paths.has(path))).toEqual([]);
  });

  it('has a page or a broken connection behind every address, and closes on all of them', async () => {
    const outcomes = TRAPS.map(async ({ path }) => {
      try {
        const response = await fetch(site.url(small(path)), { redirect: 'manual' });
        return { path, status: response.status, text: await response.text() };
      } catch {
        // Broken on purpose, or by the close below.
        return { path, status: 0, text: '' };
      }
    });
    const paths = new Set(TRAPS.map(({ path }) => small(path).split('?')[0]));
    await until(() => [...paths].every((path) => site.count(path ?? '') > 0), {
      what: 'every page to be requested',
    });
    // Late enough for every page that answers at all; what still hangs is cut.
    const slow = TRAPS.filter(({ path }) => /hang|tarpit|drip|slow|429-date/.test(path)).length;
    await until(() => site.inFlight <= slow, { what: 'the quick pages' });
    await site.close();
    const unknown = (await Promise.all(outcomes)).filter(
      ({ path, status, text }) =>
        text.startsWith('fixture failed') ||
        (status === 404 && /^(Not Found|no such)/.test(text) && !/404/.test(path)),
    );
    expect(unknown).toEqual([]);
    await until(() => site.inFlight === 0 && site.openSockets === 0);
  });
});

describe('shells', () => {
  it.each(TRAPS.filter(({ path }) => /^\/shell\/(?!click|scroll|hydrated|noscript)/.test(path)))(
    'have no content in the source of $path',
    async ({ path }) => {
      const html = await textOf(small(path));
      expect(html.replace(/<script[\s\S]*?<\/script>/g, '')).not.toContain('article-of-');
    },
  );

  it('fill themselves from the API', async () => {
    expect(await textOf('/shell/fill-react.js')).toContain('/shell/api/react');
    expect(await textOf('/shell/api/react')).toContain(articleMarker('shell-react'));
    expect((await fetch(site.url('/shell/fill-nothing.js'))).status).toBe(404);
  });
});

describe('walls', () => {
  const statusOf = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(site.url(path), { headers, redirect: 'manual' })).status;

  it('admit requests with the cookie', async () => {
    expect(await statusOf('/wall/cloudflare-403')).toBe(403);
    expect(await statusOf('/wall/cloudflare-403', { cookie: 'cf_clearance=passed' })).toBe(200);
    expect(await statusOf('/wall/cloudflare-503-answer?jschl_answer=41')).toBe(403);
    const answer = await fetch(site.url('/wall/cloudflare-503-answer?jschl_answer=42'), {
      redirect: 'manual',
    });
    expect(answer.headers.get('set-cookie')).toContain('cf_clearance=sum');
    expect(await statusOf('/wall/cloudflare-503', { cookie: 'cf_clearance=sum' })).toBe(200);
  });

  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36', 200],
    ['Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/156.0.0.0', 403],
    ['Mozilla/5.0 (compatible; TrawlBot/0.1) Chrome/156.0.0.0', 403],
    ['curl/8', 403],
  ])('judge %s: %i', async (agent, status) => {
    expect(await statusOf('/wall/user-agent', { 'user-agent': agent })).toBe(status);
  });

  it('serve after a wait', async () => {
    const askedAtMs = Date.now();
    const first = await fetch(site.url('/wall/429-date'));
    const againAtMs = Date.parse(first.headers.get('retry-after') ?? '');
    const isSoon = againAtMs > askedAtMs && againAtMs < Date.now() + 2_500;
    expect([first.status, isSoon]).toEqual([429, true]);
    expect(await statusOf('/wall/429-date')).toBe(200);
  });
});

describe('loops', () => {
  it('end for a client that keeps its cookies, and for no other', async () => {
    let cookie = '';
    for (let bounce = 0; bounce < 4; bounce++) {
      const response = await fetch(site.url('/loop/cookie-counter'), {
        headers: { cookie },
        redirect: 'manual',
      });
      expect(response.status).toBe(302);
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
    }
    expect(await textOf('/loop/cookie-counter', { cookie })).toContain('loop-cookie-counter');
  });

  it('grow', async () => {
    const next = async (path: string) =>
      (await fetch(site.url(path), { redirect: 'manual' })).headers.get('location') ?? '';
    expect(await next(await next('/loop/growing'))).toBe('/loop/growing?n=xx');
  });
});

describe('bombs', () => {
  it.each([
    ['gzip', gunzipSync],
    ['deflate', inflateSync],
    ['br', brotliDecompressSync],
    ['zstd', zstdDecompressSync],
  ] as const)('are small as %s and large inside', async (encoding, inflate) => {
    const bytes = await rawBody(`/bomb-as/${encoding}/5000000`);
    expect(bytes.length).toBeLessThan(60_000);
    expect(inflate(bytes).length).toBeGreaterThan(5_000_000);
  });

  it('nest', async () => {
    const bytes = await rawBody('/bomb-as/nested/3/1000000');
    expect(gunzipSync(gunzipSync(gunzipSync(bytes))).length).toBeGreaterThan(1_000_000);
  });
});

describe('pages for browsers', () => {
  it('hide a text in each of thirteen places', async () => {
    const html = await textOf('/frames/thirteen');
    const missing = Array.from({ length: HIDING_PLACES }, (_, n) => `target-${n + 1}-end`).filter(
      (text) => !html.includes(text),
    );
    expect(missing).toEqual([]);
  });

  it('name the other origin', async () => {
    expect(await textOf('/frames/cross-origin')).toContain('http://other.invalid/frames/leaf');
  });

  it('serve every file of the media page', async () => {
    const statuses = await Promise.all(
      MEDIA_PATHS.map(async (path) => (await fetch(site.url(path))).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(site.count('/media/image-19.png')).toBe(1);
  });

  it('show what was sent, escaped', async () => {
    expect(await textOf('/state/read', { cookie: 'a=<b>' })).toContain('sent-cookies: a=&lt;b>');
    expect(await textOf('/state/cookie')).toContain('sent-cookies: none');
    const authorization = `Basic ${Buffer.from('ada:open').toString('base64')}`;
    expect(await textOf('/state/basic', { authorization })).toContain('hello ada');
    expect((await fetch(site.url('/state/basic'))).status).toBe(401);
  });

  it('open a WebSocket', async () => {
    const socket = new WebSocket(site.url('/tarpit/socket').replace('http', 'ws'));
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = reject;
    });
    await site.close();
    await until(() => socket.readyState === WebSocket.CLOSED);
  });
});

/** The body as it travelled, not decompressed. */
function rawBody(path: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    httpRequest(site.url(path), (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks)));
    })
      .on('error', reject)
      .end();
  });
}
