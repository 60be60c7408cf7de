import { connect } from 'node:net';
import type { ConvertTask, ScrapeTask } from '@app/contracts';
import { until } from '@app/testing';
import { CHUNK, converted, failedScrape, FILE, served, USAGE } from '../../test/fake-replies.js';
import { startTestApi, type StartedApi, type StartOptions } from '../../test/started-api.js';

const URL = 'http://a.example/report.pdf';
const UNREADABLE = 'Could not extract text from file / document';

const BOUNDARY = { 'content-type': 'multipart/form-data; boundary=x' };
const PART = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';

describe('POST /v1/parse', () => {
  let api: StartedApi;

  const start = async (options: StartOptions = {}) => {
    await api?.stop();
    api = await startTestApi(options);
  };
  beforeEach(() => start());
  afterEach(() => api.stop());

  const noBlobIsLeft = () =>
    until(async () => (await api.blobKeys()).length === 0, { what: 'no blob is left' });

  const send = async (body: FormData | string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${api.url}/v1/parse`, {
      method: 'POST',
      headers: { 'x-api-key': api.key, ...headers },
      body,
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  const json = (body: unknown) => api.client.call('POST', '/v1/parse', body);

  const form = (...parts: [name: string, value: string | Blob, fileName?: string][]) => {
    const all = new FormData();
    for (const [name, value, fileName = 'a.pdf'] of parts) {
      if (typeof value === 'string') all.append(name, value);
      else all.append(name, value, fileName);
    }
    return all;
  };
  const bytes = (length: number) => new Blob([new Uint8Array(length).fill(7)]);

  /** A fake converter that reads its source. */
  const fakeFetcher = async (reply: object = converted({ file: FILE })) => {
    const sources: Buffer[] = [];
    const tasks = await api.fakeFetcher<ConvertTask>('convert', async ({ source }) => {
      sources.push(await api.blobs.read(source.key, undefined, 100_000_000));
      return reply;
    });
    return { sources, tasks };
  };

  describe('of an upload', () => {
    it('returns Markdown, text, format and pages, for one credit, and keeps no copy', async () => {
      const { sources, tasks } = await fakeFetcher();
      const answer = await send(form(['file', new Blob(['%PDF-1.7 …'])]));
      expect([answer.status, answer.body]).toEqual([
        200,
        { ok: true, markdown: '# Report', text: 'Report', format: 'pdf', pages: 3 },
      ]);
      expect(answer.headers.get('x-credits-consumed')).toBe('1');
      expect(sources.map(String)).toEqual(['%PDF-1.7 …']);
      const [task] = tasks;
      expect(task).toMatchObject({
        tenantId: api.tenantId,
        source: { kind: 'file', url: null },
        listing: false,
        llm: null,
        chunks: false,
      });
      expect(task?.source.key).toBe(`uploads/${api.tenantId}/${task?.requestId}.file`);
      expect(api.recorded).toEqual([
        {
          tenantId: api.tenantId,
          operation: 'parse',
          chargeId: task?.requestId,
          credits: 1,
          costMicroUsd: 0,
        },
      ]);
      await noBlobIsLeft();
    });

    it('omits pages where there are none, and names the limit that cut the file', async () => {
      const { pages: _, ...docx } = { ...FILE, format: 'docx' as const };
      await fakeFetcher(converted({ file: { ...docx, truncatedBy: 'chars' } }));
      expect((await send(form(['file', bytes(10)]))).body).toEqual({
        ok: true,
        markdown: '# Report',
        text: 'Report',
        format: 'docx',
        partial: true,
        partial_reason: 'chars',
      });
    });

    it('reports a vision model, and records its cost', async () => {
      await fakeFetcher(
        converted({
          file: { ...FILE, isScanned: true },
          llm: { usage: USAGE },
        }),
      );
      expect((await send(form(['file', bytes(10)]))).body).toMatchObject({ scanned: true });
      expect(api.recorded).toMatchObject([{ credits: 1, costMicroUsd: 168 }]);
    });

    it.each([
      ['before', form(['format', 'rag'], ['file', bytes(100_000)])],
      ['after', form(['file', bytes(100_000)], ['format', 'rag'])],
    ])('adds chunks for rag, named %s the file', async (_, body) => {
      const { sources, tasks } = await fakeFetcher(converted({ file: FILE, chunks: [CHUNK] }));
      expect((await send(body)).body).toMatchObject({ ok: true, chunks: [CHUNK] });
      expect(tasks[0]?.chunks).toBe(true);
      expect(sources[0]?.length).toBe(100_000);
    });

    it('adds pages and their marks where they are requested', async () => {
      const page = { page: 1, markdown: '# Report', width: 595, height: 842 };
      const { tasks } = await fakeFetcher(converted({ file: { ...FILE, pageList: [page] } }));
      const body = form(
        ['pages', 'true'],
        ['pageMarkers', 'true'],
        ['file', bytes(9)],
        ['format', 'text'],
      );
      expect((await send(body)).body).toMatchObject({ pages: 3, page_list: [page] });
      expect(tasks[0]).toMatchObject({ chunks: false, filePages: true, pageMarkers: true });
    });

    it('adds sources, which need no `pages` beside them', async () => {
      const source = { kind: 'heading', text: 'Report', box: [72, 60, 200, 80] } as const;
      const page = { page: 1, markdown: '# Report', width: 595, height: 842, sources: [source] };
      const { tasks } = await fakeFetcher(converted({ file: { ...FILE, pageList: [page] } }));
      const answer = await send(form(['sources', 'true'], ['file', bytes(9)]));
      expect(answer.body).toMatchObject({ page_list: [page] });
      expect(tasks[0]?.filePages).toBe('sources');
    });

    it('says how its sender describes the file, in the length that counts', async () => {
      const { tasks } = await fakeFetcher();
      const file = new Blob(['a,b'], { type: 'text/csv' });
      await send(form(['file', file, `${'n'.repeat(300)}.csv`]));
      expect(tasks[0]?.source).toMatchObject({
        name: `${'n'.repeat(251)}.csv`,
        contentType: 'text/csv',
      });
      expect(tasks[0]).not.toHaveProperty('filePages');
    });

    it('reads a file of bytes without a name', async () => {
      const { tasks } = await fakeFetcher();
      const head = 'content-disposition: form-data; name="file"';
      const type = 'content-type: application/octet-stream';
      const answer = await send(`--x\r\n${head}\r\n${type}\r\n\r\nabc\r\n--x--\r\n`, BOUNDARY);
      expect(answer.status).toBe(200);
      expect(tasks[0]?.source).toMatchObject({ name: '' });
    });

    it('cuts the Markdown to the tokens that are wanted', async () => {
      const markdownCut = { tokens: 100, leftOutTokens: 900, leftOut: ['Prices'] };
      const { tasks } = await fakeFetcher(converted({ file: { ...FILE, markdownCut } }));
      const answer = await send(form(['maxTokens', '100'], ['file', bytes(9)]));
      expect(answer.body).toMatchObject({ ok: true, markdownCut });
      expect(tasks[0]?.maxTokens).toBe(100);
    });

    it.each(['markdown', 'text'])('makes no chunks for %s', async (format) => {
      const { tasks } = await fakeFetcher();
      expect((await send(form(['format', format], ['file', bytes(1)]))).status).toBe(200);
      expect(tasks[0]?.chunks).toBe(false);
    });

    it.each([
      ['nothing', form()],
      ['a field only', form(['format', 'rag'])],
      ['a file under another name', form(['document', bytes(100_000)])],
      ['a text named file', form(['file', 'text'])],
    ])('refuses %s', async (_, body) => {
      const answer = await send(body);
      expect([answer.status, answer.body]).toEqual([
        400,
        { error: '`file` field is required (multipart upload)' },
      ]);
    });

    it.each([
      [
        'an unknown format',
        form(['file', bytes(9)], ['format', 'docx']),
        '`format` must be one of markdown, text, rag',
      ],
      ['an unknown field', form(['file', bytes(9)], ['page', '3']), 'Unknown field `page`'],
      ...['99', '1000001', '1e3', ''].map((tokens): [string, FormData, string] => [
        `'${tokens}' tokens`,
        form(['file', bytes(9)], ['maxTokens', tokens]),
        '`maxTokens` must be a whole number from 100 to 1000000',
      ]),
      [
        'a number of pages',
        form(['file', bytes(9)], ['pages', '3']),
        '`pages` must be true or false',
      ],
      [
        'two files',
        form(['file', bytes(100_000)], ['file', bytes(100_000)]),
        'Send one `file` at a time',
      ],
      [
        'a long field',
        form(['format', 'x'.repeat(2_000)], ['file', bytes(9)]),
        '`format` must be a short text',
      ],
    ])('rejects %s free of charge, and keeps no copy', async (_, body, error) => {
      const { tasks } = await fakeFetcher();
      const answer = await send(body);
      expect([answer.status, answer.body]).toEqual([400, { error }]);
      expect([tasks, api.recorded]).toEqual([[], []]);
      await noBlobIsLeft();
    });

    it.each<[string, string, Record<string, string>]>([
      ['no boundary', `${PART}abc\r\n--x--`, { 'content-type': 'multipart/form-data' }],
      ['another boundary', PART, { 'content-type': 'multipart/form-data; boundary=y' }],
      ['no form', 'hello', BOUNDARY],
      ['a file without an end', `${PART}abc`, BOUNDARY],
      ['a header without an end', '--x\r\ncontent-disposition: form-da', BOUNDARY],
      [
        'fifty fields',
        `${'--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n'.repeat(50)}--x--`,
        BOUNDARY,
      ],
      [
        'a field that every object inherits',
        '--x\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\nb\r\n--x--',
        BOUNDARY,
      ],
    ])('rejects a form with %s', async (_, body, headers) => {
      await fakeFetcher();
      const answer = await send(body, headers);
      expect([answer.status, answer.body]).toEqual([400, { error: 'Invalid multipart form data' }]);
      expect(api.recorded).toEqual([]);
      await noBlobIsLeft();
    });

    it.each([
      ['encrypted', 422, { ok: false, error: UNREADABLE }],
      ['malformed', 422, { ok: false, error: UNREADABLE }],
      ['no_text', 422, { ok: false, error: UNREADABLE }],
      ['unknown_kind', 422, { ok: false, error: UNREADABLE }],
      ['too_large', 422, { ok: false, error: UNREADABLE }],
      ['timeout', 422, { ok: false, error: UNREADABLE }],
      ['docx_unavailable', 415, { error: 'DOCX parsing not available' }],
    ])('that is %s returns %i, free of charge', async (problem, status, body) => {
      await fakeFetcher({ kind: 'failed', problem, message: 'Why' });
      const answer = await send(form(['file', bytes(10)]));
      expect([answer.status, answer.body]).toEqual([
        status,
        { ...body, reason: problem, message: 'Why' },
      ]);
      expect(api.recorded).toEqual([]);
      await noBlobIsLeft();
    });

    it('that took all the CPU time of a document costs what one that is read does', async () => {
      await fakeFetcher({ kind: 'failed', problem: 'max_cpu', message: 'Why' });
      expect((await send(form(['file', bytes(10)]))).status).toBe(422);
      expect(api.recorded).toMatchObject([{ operation: 'parse', credits: 1 }]);
      await noBlobIsLeft();
    });

    it('that no model could read is not charged, but the model cost is recorded', async () => {
      await fakeFetcher({ kind: 'failed', problem: 'no_text', message: 'Why', usage: USAGE });
      expect((await send(form(['file', bytes(10)]))).status).toBe(422);
      expect(api.recorded).toMatchObject([{ operation: 'parse', credits: 0, costMicroUsd: 168 }]);
    });

    it('keeps no copy when no fetcher converts it', async () => {
      await start({ settings: { scrapeTimeoutMs: 50 } });
      expect((await send(form(['file', bytes(10)]))).status).toBe(503);
      await noBlobIsLeft();
    });

    it('streams to storage as it arrives, and stores nothing of a broken upload', async () => {
      const socket = connect(Number(new globalThis.URL(api.url).port), '127.0.0.1');
      const body = `${PART}${'y'.repeat(200_000)}`;
      socket.write(
        `POST /v1/parse HTTP/1.1\r\nhost: a\r\nx-api-key: ${api.key}\r\n` +
          `content-type: ${BOUNDARY['content-type']}\r\ncontent-length: 1000000\r\n\r\n${body}`,
      );
      const put = jest.spyOn(api.blobs, 'put');
      await until(() => put.mock.calls.length > 0, { what: 'the file on its way' });
      socket.destroy();
      await expect(put.mock.results[0]?.value).rejects.toThrow();
      await noBlobIsLeft();
    });
  });

  describe('of a large upload', () => {
    const LIMIT = 300_000;
    beforeEach(() => start({ settings: { uploadMaxBytes: LIMIT, bodyLimitBytes: 1_024 } }));
    const tooLarge = [
      413,
      { error: `Request body too large: the limit is ${LIMIT} bytes`, hint: expect.any(String) },
    ] as const;

    it('accepts a file of the largest size', async () => {
      const { sources } = await fakeFetcher();
      const answer = await send(form(['file', bytes(LIMIT)], ['format', 'rag']));
      expect([answer.status, sources[0]?.length]).toEqual([200, LIMIT]);
    });

    it.each([
      ['one byte above', 1],
      ['far above', 10_000_000],
    ])('rejects a file %s, and keeps no copy', async (_, more) => {
      const { tasks } = await fakeFetcher();
      const answer = await send(form(['file', bytes(LIMIT + more)], ['format', 'rag']));
      expect([answer.status, answer.body]).toEqual(tooLarge);
      expect([tasks, api.recorded]).toEqual([[], []]);
      await noBlobIsLeft();
    });

    it('rejects a large file without a Content-Length', async () => {
      const { tasks } = await fakeFetcher();
      async function* chunks(): AsyncGenerator<Uint8Array> {
        yield Buffer.from(PART);
        for (let n = 0; n < 40; n++) yield new Uint8Array(65_536);
        yield Buffer.from('\r\n--x--\r\n');
      }
      const response = await fetch(`${api.url}/v1/parse`, {
        method: 'POST',
        headers: { 'x-api-key': api.key, ...BOUNDARY },
        body: ReadableStream.from(chunks()),
        duplex: 'half',
      } as RequestInit);
      expect([response.status, await response.json()]).toEqual(tooLarge);
      expect(tasks).toEqual([]);
      await noBlobIsLeft();
    });

    it('reads the rest of it, so that the response and the next request get through', async () => {
      const body = Buffer.concat([
        Buffer.from(PART),
        Buffer.alloc(LIMIT + 5_000_000, 7),
        Buffer.from('\r\n--x--\r\n'),
      ]);
      const socket = connect(Number(new globalThis.URL(api.url).port), '127.0.0.1');
      let text = '';
      socket.on('data', (data) => (text += data.toString()));
      socket.write(
        `POST /v1/parse HTTP/1.1\r\nhost: a\r\nx-api-key: ${api.key}\r\n` +
          `content-type: ${BOUNDARY['content-type']}\r\ntransfer-encoding: chunked\r\n\r\n` +
          `${body.length.toString(16)}\r\n`,
      );
      socket.write(body);
      socket.write('\r\n0\r\n\r\n');
      socket.write('GET /health/live HTTP/1.1\r\nhost: a\r\n\r\n');
      const statuses = () => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
      await until(() => statuses().length === 2, { what: 'two answers' });
      socket.destroy();
      expect(statuses()).toEqual(['413', '200']);
    });
  });

  describe('of an address', () => {
    it('returns the document, for one credit', async () => {
      const tasks = await api.fakeFetcher<ScrapeTask>('scrape', () => served({ file: FILE }));
      const answer = await json({ url: URL });
      expect([answer.status, answer.body]).toEqual([
        200,
        { ok: true, markdown: '# Report', text: 'Report', format: 'pdf', pages: 3 },
      ]);
      expect(answer.headers.get('x-credits-consumed')).toBe('1');
      expect(tasks).toMatchObject([
        { url: URL, tenantId: api.tenantId, listing: false, llm: null, chunks: false },
      ]);
      expect(api.recorded).toMatchObject([
        { operation: 'parse', credits: 1, chargeId: tasks[0]?.requestId },
      ]);
    });

    it('adds chunks for rag', async () => {
      const tasks = await api.fakeFetcher<ScrapeTask>('scrape', () =>
        served({ file: FILE, chunks: [CHUNK] }),
      );
      expect((await json({ url: URL, format: 'rag' })).body).toMatchObject({ chunks: [CHUNK] });
      expect(tasks[0]?.chunks).toBe(true);
    });

    it('adds pages and their marks where they are requested', async () => {
      const page = { page: 1, markdown: '# Report', width: 595, height: 842 };
      const tasks = await api.fakeFetcher<ScrapeTask>('scrape', () =>
        served({ file: { ...FILE, pageList: [page] } }),
      );
      const answer = await json({ url: URL, pages: true, pageMarkers: true });
      expect(answer.body).toMatchObject({ page_list: [page] });
      expect(tasks[0]).toMatchObject({ filePages: true, pageMarkers: true });
    });

    it('has its Markdown cut', async () => {
      const markdownCut = { tokens: 100, leftOutTokens: 900, leftOut: [] };
      const tasks = await api.fakeFetcher<ScrapeTask>('scrape', () =>
        served({ file: FILE, markdownCut }),
      );
      expect((await json({ url: URL, maxTokens: 100 })).body).toMatchObject({ markdownCut });
      expect(tasks[0]?.maxTokens).toBe(100);
    });

    it('fails when it leads to a page', async () => {
      await api.fakeFetcher('scrape', () => served());
      const answer = await json({ url: URL });
      expect([answer.status, answer.body]).toEqual([
        422,
        {
          ok: false,
          error: UNREADABLE,
          reason: 'unknown_kind',
          message: 'The URL leads to a page, not to a document. Send it to /v1/scrape',
        },
      ]);
      expect(api.recorded).toEqual([]);
    });

    it.each([
      ['encrypted', 422, UNREADABLE],
      ['docx_unavailable', 415, 'DOCX parsing not available'],
    ])(
      'of a document that is %s reports the attempts, free of charge',
      async (file, status, error) => {
        await api.fakeFetcher('scrape', () => failedScrape({ problem: 'Why', file }));
        const answer = await json({ url: URL });
        expect([answer.status, answer.body]).toMatchObject([
          status,
          { error, reason: file, message: 'Why', url: URL, cascade: { level: 1 } },
        ]);
        expect(api.recorded).toEqual([]);
      },
    );

    it('reports that the page could not be fetched', async () => {
      await api.fakeFetcher('scrape', () => failedScrape());
      expect(await json({ url: URL })).toMatchObject({
        status: 422,
        body: { ok: false, error: 'Fetch failed: HTTP 404' },
      });
    });

    it.each<[string, unknown, number, string]>([
      ['no address', {}, 400, '`url` is required'],
      ['an invalid URL', { url: 'nope' }, 400, 'Invalid URL'],
      ['a private one', { url: 'http://10.0.0.1/' }, 400, 'Blocked URL: http://10.0.0.1/'],
      ['another format', { url: URL, format: 'pdf' }, 400, '`format` must be one of'],
      ['an unknown field', { url: URL, page: 3 }, 400, 'Unknown field `page`'],
      ['a number of pages', { url: URL, pages: 3 }, 400, '`pages` must be true or false'],
      ['a list', [], 400, 'Invalid JSON body'],
      ['nothing', '', 400, 'Invalid JSON body'],
    ])('refuses %s', async (_, body, status, error) => {
      const answer = await json(body);
      expect(answer.status).toBe(status);
      expect((answer.body as { error: string }).error).toContain(error);
    });
  });

  it('rejects another type of body, and forms on other routes', async () => {
    const plain = await send('x', { 'content-type': 'text/plain' });
    expect(plain.status).toBe(415);
    for (const path of ['/v1/scrape', '/v1/extract']) {
      const response = await fetch(`${api.url}${path}`, {
        method: 'POST',
        headers: { 'x-api-key': api.key },
        body: form(['file', bytes(10)]),
      });
      expect([response.status, await response.json()]).toEqual([
        415,
        { error: 'Unsupported content type: send application/json', hint: expect.any(String) },
      ]);
    }
  });

  it('needs a key before a byte is stored', async () => {
    const put = jest.spyOn(api.blobs, 'put');
    const response = await fetch(`${api.url}/v1/parse`, {
      method: 'POST',
      body: form(['file', bytes(100_000)]),
    });
    expect([response.status, put.mock.calls]).toEqual([401, []]);
  });
});
