import { until } from '@app/testing';
import { converted, FAKE_PAGE_URL as URL } from '../../test/fake-replies.js';
import { startTestApi, type StartedApi, type StartOptions } from '../../test/started-api.js';

describe('POST /v1/extract with a large body', () => {
  let api: StartedApi;

  const start = async (options: StartOptions = {}) => {
    await api?.stop();
    api = await startTestApi(options);
  };
  afterEach(() => api.stop());

  const extract = (body: unknown) => api.client.call('POST', '/v1/extract', body);
  const MIB = 1024 * 1024;
  const bodyOf = (bytes: number) => {
    const frame = JSON.stringify({ html: '' }).length;
    return JSON.stringify({ html: 'y'.repeat(bytes - frame) });
  };

  it('is accepted up to its own limit and rejected one byte above', async () => {
    await start({ settings: { bodyLimitBytes: 1_024, uploadMaxBytes: 2 * MIB } });
    await api.fakeFetcher('convert', () => converted({ listing: null }));
    expect((await extract(bodyOf(2 * MIB))).status).toBe(200);
    const answer = await extract(bodyOf(2 * MIB + 1));
    expect([answer.status, answer.body]).toEqual([
      413,
      { error: `Request body too large: the limit is ${2 * MIB} bytes`, hint: expect.any(String) },
    ]);
    const other = await api.client.scrape({ url: URL, headers: { 'x-a': 'y'.repeat(2_000) } });
    expect([other.status, other.text]).toEqual([413, expect.stringContaining('1024 bytes')]);
  });

  const withoutLength = (text: string) =>
    fetch(`${api.url}/v1/extract`, {
      method: 'POST',
      headers: { 'x-api-key': api.key, 'content-type': 'application/json' },
      body: ReadableStream.from([Buffer.from(text)]),
      duplex: 'half',
    } as RequestInit);

  it('that turns out to be small uses no room', async () => {
    await start({ settings: { bodyLimitBytes: 1_024, uploadMaxBytes: 10_000 } });
    const tasks = await api.fakeFetcher('convert', async () => {
      await until(() => tasks.length === 20, { what: 'twenty at once' });
      return converted({ listing: null });
    });
    const answers: Promise<Response>[] = [];
    for (let sent = 1; sent <= 20; sent++) {
      answers.push(withoutLength(bodyOf(200)));
      await until(() => tasks.length === sent, { what: `${sent} in work` });
    }
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses).toEqual(statuses.map(() => 200));
  });

  it('fails without room among others like it, and releases its room', async () => {
    await start({ settings: { bodyLimitBytes: 1_024, uploadMaxBytes: 10_000 } });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const tasks = await api.fakeFetcher('convert', async () => {
      await held;
      return converted({ listing: null });
    });
    const first = Array.from({ length: 8 }, () => extract(bodyOf(10_000)));
    await until(() => tasks.length === 8, { what: 'eight bodies in memory' });
    expect((await extract(bodyOf(1_025))).status).toBe(503);
    expect((await withoutLength(bodyOf(100))).status).toBe(503);
    const small = extract({ html: '<p>small</p>' });
    release();
    expect((await Promise.all([...first, small])).map(({ status }) => status)).toEqual(
      Array.from({ length: 9 }, () => 200),
    );
    await until(async () => (await extract(bodyOf(10_000))).status === 200, { what: 'room' });
  });
});

describe('an invalid request to /v1/extract', () => {
  let api: StartedApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.stop());

  it.each<[string, unknown, number, string]>([
    ['nothing to read', {}, 400, '`url` is required'],
    ['an empty address', { url: '' }, 400, '`url` is required'],
    ['no address', { url: 'nope' }, 400, 'Invalid URL'],
    ['another scheme', { url: 'ftp://a.example/' }, 400, 'Blocked URL: ftp://a.example/'],
    ['a private address', { url: 'http://10.0.0.1/' }, 400, 'Blocked URL: http://10.0.0.1/'],
    ['an invalid base URL', { html: '<p>x</p>', url: 'data:,x' }, 400, 'Invalid URL'],
    ['HTML of the wrong type', { html: 5 }, 400, '`html` must be a string'],
    ['empty HTML', { html: ' ' }, 400, '`html` is empty'],
    ['empty Markdown', { markdown: '' }, 400, '`markdown` is empty'],
    ['URLs that are not a list', { urls: URL }, 400, '`urls` must be an array of strings'],
    ['no addresses', { urls: [] }, 400, '`urls` is empty'],
    [
      'too many URLs',
      { urls: Array.from({ length: 101 }, () => URL) },
      400,
      '`urls` may hold at most 100 entries',
    ],
    [
      'URLs beside another source',
      { urls: [URL], html: '<p>x</p>' },
      400,
      '`urls` cannot be combined with another source: send it without `url`, `html` and `markdown`',
    ],
    ['a schema of the wrong type', { url: URL, schema: 'x' }, 400, '`schema` must be an object'],
    ['a list as a schema', { url: URL, schema: [] }, 400, '`schema` must be an object'],
    [
      'a schema with a remote part',
      { url: URL, schema: { $ref: 'http://b.example/s.json' } },
      400,
      '`schema` ',
    ],
    ['a huge schema', { url: URL, schema: { description: 'x'.repeat(70_000) } }, 400, '`schema`'],
    [
      'another complexity',
      { url: URL, complexity: 'top' },
      400,
      '`complexity` must be one of low, high',
    ],
    ['an unknown field', { url: URL, prompt: 'x' }, 400, 'Unknown field `prompt`.'],
    [
      'a field that every object inherits',
      '{"url":"http://a.example/","__proto__":{}}',
      400,
      'Unknown field',
    ],
    ['the constructor', { url: URL, constructor: 1 }, 400, 'Unknown field `constructor`.'],
    ['broken JSON', '{"url":', 400, 'Invalid JSON body'],
    ['deep nesting', `{"url":${'['.repeat(200_000)}`, 400, 'The body is nested deeper'],
  ])('refuses %s', async (_, body, status, error) => {
    const answer = await api.client.call('POST', '/v1/extract', body);
    expect([answer.status, answer.body]).toEqual([
      status,
      expect.objectContaining({ error: expect.stringContaining(error) }),
    ]);
    expect(api.recorded).toEqual([]);
  });
});
