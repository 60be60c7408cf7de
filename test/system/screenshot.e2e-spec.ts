import { reserveDaily, utcDay } from '@app/accounts';
import { startFixtureSite, type Answer, type FixtureSite } from '@app/testing';
import { createCaller, MODES, type Service } from './deployment.js';
import { share } from './shared-cluster.js';

interface Shot {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly format: string;
  readonly latencyMs: number;
  readonly dailyLimit: number;
  readonly imageUrl?: string;
  readonly base64?: string;
}

async function shoot(url: string, key: string, body: unknown): Promise<Answer> {
  const response = await fetch(`${url}/v1/screenshot`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

/** The image itself, from the address or the body of the response. */
async function imageOf({ imageUrl, base64 }: Shot): Promise<Buffer> {
  if (base64 !== undefined) return Buffer.from(base64, 'base64');
  return Buffer.from(await (await fetch(imageUrl ?? '')).arrayBuffer());
}

const isPng = (image: Buffer) => image.subarray(1, 4).toString() === 'PNG';
const isJpeg = (image: Buffer) => image.readUInt16BE(0) === 0xffd8;
const pngSize = (image: Buffer) => [image.readUInt32BE(16), image.readUInt32BE(20)];

describe.each(MODES)('POST /v1/screenshot, %s', (mode) => {
  let service: Service;
  let site: FixtureSite;

  beforeAll(async () => {
    site = await startFixtureSite();
    service = await share(mode);
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });
  beforeEach(() => site.reset());

  const shot = async (body: object): Promise<Shot> => {
    const answer = await shoot(service.url, service.key, { waitFor: 0, ...body });
    expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
    return answer.body as Shot;
  };

  /** A key of a tenant of ten pictures a day that has taken so many of them. */
  async function keyAfter(pictures: number): Promise<string> {
    const { id: tenantId, key } = await createCaller(service.database, 'on the free plan', 'free');
    const days = [utcDay(), utcDay(new Date(Date.now() + 86_400_000))];
    for (const day of days)
      await reserveDaily(service.database, {
        ...{ tenantId, operation: 'screenshot', day },
        ...{ limit: 10, amount: pictures },
      });
    return key;
  }

  it('shows the whole page by default, 1280 pixels wide, as PNG', async () => {
    const answer = await shoot(service.url, service.key, { url: site.url('/docs') });
    const body = answer.body as Shot;
    expect(body).toMatchObject({
      url: site.url('/docs'),
      width: 1280,
      format: 'png',
      dailyLimit: 50_000,
    });
    // waitFor is 1000 ms unless it is given.
    expect(body.latencyMs).toBeGreaterThanOrEqual(1_000);
    expect(answer.headers.get('x-credits-consumed')).toBe('1');
    const image = await imageOf(body);
    expect(isPng(image)).toBe(true);
    expect(pngSize(image)).toEqual([body.width, body.height]);
  });

  it('sends an address where there is object storage, the image elsewhere', async () => {
    const body = await shot({ url: site.url('/docs') });
    const has = [body.imageUrl !== undefined, body.base64 !== undefined];
    expect(has).toEqual(mode === 'cluster' ? [true, false] : [false, true]);
  });

  it('shows the viewport, of the requested width', async () => {
    const whole = await shot({ url: site.url('/big/200000'), width: 800 });
    const part = await shot({ url: site.url('/big/200000'), width: 800, fullPage: false });
    expect([whole.width, part.width]).toEqual([800, 800]);
    expect(whole.height).toBeGreaterThan(part.height);
  });

  it('sends a picture of several megabytes', async () => {
    const large = await shot({ url: site.url('/big/100000'), width: 2_000 });
    expect(large.width).toBe(2_000);
    expect((await imageOf(large)).length).toBeGreaterThan(512 * 1024);
  });

  it('emulates a phone', async () => {
    await shot({ url: site.url('/docs'), mobile: true });
    const agent = site.requests('/docs').at(-1)?.headers['user-agent'];
    expect(agent).toMatch(/Android|iPhone/);
    expect(agent).toContain('Mobile');
  });

  it('emulates a phone of the width requested', async () => {
    const [usual, wide] = [
      await shot({ url: site.url('/docs'), mobile: true, fullPage: false }),
      await shot({ url: site.url('/docs'), mobile: true, fullPage: false, width: 780 }),
    ];
    expect(wide.width / usual.width).toBeCloseTo(2, 1);
  });

  it('shows one element with its own height', async () => {
    const body = await shot({ url: site.url('/docs'), element: 'h1' });
    const page = await shot({ url: site.url('/docs') });
    expect(body.height).toBeLessThan(page.height);
    expect(pngSize(await imageOf(body))).toEqual([body.width, body.height]);
  });

  it('makes a JPEG', async () => {
    const body = await shot({ url: site.url('/docs'), format: 'jpeg' });
    expect(body.format).toBe('jpeg');
    expect(isJpeg(await imageOf(body))).toBe(true);
  });

  it('carries cookies', async () => {
    const cookies = JSON.stringify([{ name: 'session', value: 'abc', domain: '127.0.0.1' }]);
    await shot({ url: site.url('/docs'), cookies });
    expect(site.requests('/docs').at(-1)?.headers['cookie']).toBe('session=abc');
  });

  it('shows error pages, too', async () => {
    expect(await shot({ url: site.url('/status/404') })).toMatchObject({ statusCode: 404 });
  });

  it.each([
    [{}, 400, '`url` is required'],
    [{ url: 'nope' }, 400, 'Invalid URL'],
    [{ url: 'http://169.254.169.254/' }, 400, 'Blocked URL: http://169.254.169.254/'],
    [{ url: 'http://a.example/', width: 99 }, 400, '`width` must be at least 100'],
    [{ url: 'http://a.example/', width: 3_841 }, 400, '`width` must be at most 3840'],
    [{ url: 'http://a.example/', waitFor: 60_001 }, 400, '`waitFor` must be at most 60000'],
    [{ url: 'http://a.example/', format: 'gif' }, 400, '`format` must be one of png, jpeg'],
    [{ url: 'http://a.example/', cookies: 'a=b' }, 400, '`cookies` must be JSON array text'],
    [{ url: 'http://a.example/', full: true }, 400, 'Unknown field `full`'],
  ])('refuses %j', async (body, status, error) => {
    const answer = await shoot(service.url, service.key, body);
    expect(answer.status).toBe(status);
    expect((answer.body as { error: string }).error).toContain(error);
  });

  it.each([
    ['/reset', {}, /^Fetch failed: ./],
    ['/docs', { element: '#not-there' }, /^No element matches "#not-there"$/],
    ['/docs', { element: '(' }, /^Not a CSS selector: "\("$/],
  ])(
    'says why there is no picture of %s %j, and gives the day its picture back',
    async (path, more, error) => {
      const key = await keyAfter(9);
      const url = site.url(path);
      for (let tries = 0; tries < 2; tries++) {
        const answer = await shoot(service.url, key, { url, waitFor: 0, ...more });
        expect([answer.status, answer.body]).toMatchObject([
          422,
          { ok: false, url, error: expect.stringMatching(error) },
        ]);
      }
    },
  );

  it.each([
    ['whose name is unknown', 'nowhere.invalid', 80],
    // No server of another test is given such a port.
    ['that refuses the connection', '127.0.0.1', 1_027],
    ['whose port no browser opens', '127.8.0.1', 6_000],
  ])('fails as a scrape in a browser does for a host %s', async (_which, host, port) => {
    const url = `http://${host}:${port}/`;
    const headers = { 'x-api-key': service.key, 'content-type': 'application/json' };
    // That file would be requested without a browser, and its failure has another text.
    const body = JSON.stringify({ url, forceHeadless: true, ignoreRobotsTxt: true });
    const scrape = await fetch(`${service.url}/v1/scrape`, { method: 'POST', headers, body });
    const { error } = (await scrape.json()) as { readonly error: string };
    const answer = await shoot(service.url, service.key, { url, waitFor: 0 });
    expect([answer.status, answer.body]).toMatchObject([scrape.status, { ok: false, error }]);
    expect(answer.status).toBeLessThan(500);
  });

  it.each([
    [204, 'the response has no content to show (status 204)'],
    [200, 'a browser does not show this content type (application/pdf)'],
  ])('says what a response of status %i had instead of a page', async (status, reason) => {
    site.serve({
      '/unshown': ({ response }) => {
        const headers = status === 204 ? {} : { 'content-type': 'application/pdf' };
        response.writeHead(status, headers).end(status === 204 ? undefined : '%PDF-1.4 no more');
      },
    });
    const body = { url: site.url('/unshown'), waitFor: 0 };
    const answer = await shoot(service.url, service.key, body);
    expect(answer.body).toMatchObject({ ok: false, error: `Fetch failed: ${reason}` });
  });

  it('keeps the daily quota of the plan exactly, also when asked all at once', async () => {
    const key = await keyAfter(7);
    const body = { url: site.url('/docs'), waitFor: 0, fullPage: false };
    const answers = await Promise.all(
      Array.from({ length: 7 }, () => shoot(service.url, key, body)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(4);
    expect(refused[0]?.body).toMatchObject({ limit: 10, tier: 'free' });
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
