import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobStore } from '@app/blobs';
import { UPLOAD_FOLDER } from '@app/contracts';
import {
  docxOf,
  DOCX_TYPE,
  encryptedPdf,
  pdfOf,
  startFixtureSite,
  TrawlClient,
  until,
  type FixtureSite,
  type OwnPage,
} from '@app/testing';
import { createCaller, MODES, type Service } from './deployment.js';
import { share } from './shared-cluster.js';

const UNREADABLE = 'Could not extract text from file / document';

interface Parsed {
  readonly ok: boolean;
  readonly markdown: string;
  readonly text: string;
  readonly format: string;
  readonly pages?: number;
  readonly markdownCut?: { readonly tokens: number; readonly leftOut: readonly string[] };
  readonly chunks?: readonly {
    readonly id: string;
    readonly text: string;
    readonly tokens: number;
    readonly contentHash: string;
  }[];
}

const PDF = pdfOf(['Annual report of the harbour', 'Second page about cranes']);
const ENCRYPTED = encryptedPdf();
const DOCX = docxOf(['Minutes of the meeting']);
const CSV = Buffer.from('Port;Tide\nKiel;low\n');
const RTF = Buffer.from('{\\rtf1 Dear \\b Bob\\b0 ,}');

const file =
  (body: Uint8Array, type: string): OwnPage =>
  ({ response }) => {
    response.writeHead(200, { 'content-type': type });
    response.end(body);
  };

describe.each(MODES)('POST /v1/parse, %s', (mode) => {
  let service: Service;
  let caller: { readonly id: string; readonly key: string };
  let client: TrawlClient;
  let site: FixtureSite;

  beforeAll(async () => {
    site = await startFixtureSite();
    site.serve({
      '/report.pdf': file(PDF, 'application/pdf'),
      '/download': file(PDF, 'application/octet-stream'),
      '/secret.pdf': file(ENCRYPTED, 'application/pdf'),
      '/minutes.docx': file(DOCX, DOCX_TYPE),
      '/tides.csv': file(CSV, 'text/plain'),
      '/letter': file(RTF, 'application/octet-stream'),
      '/page': '<!doctype html><title>Page</title><p>Only a page, with some text of its own.</p>',
    });
    service = await share(mode);
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });
  beforeEach(async () => {
    site.reset();
    caller = await createCaller(service.database, 'parse', 'custom');
    client = new TrawlClient(service.url, caller.key);
  });

  const upload = async (
    body: Uint8Array,
    { name = 'file.bin', ...fields }: { name?: string; format?: string; maxTokens?: string } = {},
  ) => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(body)]), name);
    for (const [field, value] of Object.entries(fields)) form.append(field, value);
    const response = await fetch(`${service.url}/v1/parse`, {
      method: 'POST',
      headers: { 'x-api-key': caller.key },
      body: form,
    });
    const { status, headers } = response;
    return { status, headers, body: (await response.json()) as Parsed };
  };
  const parseUrl = (url: string, more: object = {}) =>
    client.call('POST', '/v1/parse', { url, ...more });
  const ledger = () =>
    service.database.query(
      {
        name: 'ledger',
        text: 'SELECT operation, credits FROM credit_ledger WHERE tenant_id = $1',
      },
      [caller.id],
    );

  it('turns an uploaded PDF into Markdown and text, whatever its name', async () => {
    const answer = await upload(PDF, { name: 'picture.png' });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ok: true,
        markdown: expect.stringContaining('Annual report of the harbour'),
        text: expect.stringContaining('Second page about cranes'),
        format: 'pdf',
        pages: 2,
      },
    ]);
    expect(answer.headers.get('x-credits-consumed')).toBe('1');
    expect(await ledger()).toEqual([{ operation: 'parse', credits: 1 }]);
  });

  it('keeps chunks by the content of the document, each tenant its own', async () => {
    const kept = async () => {
      const text = `SELECT 1 FROM page_cache WHERE url LIKE 'sha256:%' AND tenant_id = $1`;
      return (await service.database.query({ name: 'kept', text }, [caller.id])).length;
    };
    const isKept = (count: number) =>
      until(async () => (await kept()) >= count, { what: `the chunks of ${count} documents` });
    const document = pdfOf(['Only this document says so']);
    const first = await upload(document, { name: 'a.pdf', format: 'rag' });
    await isKept(1);
    const again = await upload(document, { name: 'b.pdf', format: 'rag' });
    expect(again.body).toEqual(first.body);
    expect(await kept()).toBe(1);
    await upload(pdfOf(['Another document']), { format: 'rag' });
    await isKept(2);
    expect(await kept()).toBe(2);
  });

  it('turns an uploaded DOCX into Markdown and text', async () => {
    const { status, body } = await upload(DOCX);
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        markdown: expect.stringContaining('Minutes of the meeting'),
        text: expect.stringContaining('Minutes of the meeting'),
        format: 'docx',
      },
    ]);
  });

  it('takes a table for one by its name', async () => {
    const { body } = await upload(CSV, { name: 'tides.csv' });
    expect(body).toMatchObject({ format: 'csv', markdown: expect.stringContaining('| Kiel |') });
    expect((await upload(CSV, { name: 'tides.txt' })).body).toMatchObject({
      format: 'txt',
      markdown: CSV.toString(),
    });
  });

  it('reads a PDF by page, from an upload and a URL', async () => {
    const pages = [1, 2].map((page) => ({
      ...{ page, markdown: expect.any(String), width: expect.any(Number) },
      height: expect.any(Number),
    }));
    const form = new FormData();
    form.append('pages', 'true');
    form.append('pageMarkers', 'true');
    form.append('format', 'rag');
    form.append('file', new Blob([new Uint8Array(PDF)]), 'a.pdf');
    const headers = { 'x-api-key': caller.key };
    const response = await fetch(`${service.url}/v1/parse`, {
      method: 'POST',
      headers,
      body: form,
    });
    const body: unknown = await response.json();
    expect(body).toMatchObject({
      pages: 2,
      page_list: pages,
      markdown: expect.stringMatching(/^<!-- page 1 -->\n\n[^]*<!-- page 2 -->\n\n/),
      chunks: [{ pages: [1, 2] }],
    });
    const fetched = await parseUrl(site.url('/report.pdf'), { pages: true });
    expect(fetched.body).toMatchObject({ page_list: pages });
    expect((fetched.body as Parsed).markdown).not.toContain('<!--');
  });

  it('cuts the Markdown of a file, and says what is left out', async () => {
    const text = Array.from({ length: 40 }, (_, at) => `# Part ${at}\n\nWords of part ${at}.\n`);
    const { body } = await upload(Buffer.from(text.join('\n')), {
      name: 'parts.md',
      maxTokens: '100',
    });
    expect(body).toMatchObject({ format: 'md', text: expect.stringContaining('part 39.') });
    expect(body.markdownCut?.tokens).toBeLessThanOrEqual(100);
    expect(body.markdownCut?.leftOut).toContain('Part 39');
    expect(body.markdown).not.toContain('part 39.');
  });

  it('adds chunks for rag, the same ones each time', async () => {
    const first = await upload(PDF, { format: 'rag' });
    expect(first.body.chunks?.length).toBeGreaterThan(0);
    expect(first.body.chunks?.[0]).toMatchObject({
      id: expect.any(String),
      text: expect.stringContaining('Annual report'),
      tokens: expect.any(Number),
      contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect((await upload(PDF, { format: 'rag' })).body.chunks).toEqual(first.body.chunks);
  });

  it.each([
    ['/report.pdf', 'pdf', 'Annual report of the harbour'],
    ['/download', 'pdf', 'Annual report of the harbour'],
    ['/minutes.docx', 'docx', 'Minutes of the meeting'],
    ['/tides.csv', 'csv', '| Port | Tide |\n| --- | --- |\n| Kiel | low |'],
    ['/letter', 'rtf', 'Dear **Bob**,'],
  ])('fetches and reads %s', async (address, format, text) => {
    const answer = await parseUrl(site.url(address), { format: 'rag' });
    expect(answer).toMatchObject({
      status: 200,
      body: { ok: true, format, markdown: expect.stringContaining(text) },
    });
    expect((answer.body as Parsed).chunks?.length).toBeGreaterThan(0);
    expect(await ledger()).toEqual([{ operation: 'parse', credits: 1 }]);
  });

  it.each([
    ['encrypted', ENCRYPTED, 'encrypted'],
    ['cut off', PDF.subarray(0, 60), 'malformed'],
    ['a page', Buffer.from('<!doctype html><p>Just some text.'), 'unknown_kind'],
    ['of the old Office', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'unknown_kind'],
    ['empty', Buffer.from(''), 'unknown_kind'],
    ['without text', pdfOf(['']), 'no_text'],
  ])('says why a file that is %s has no text, for nothing', async (_, file, reason) => {
    const { status, body } = await upload(file);
    expect([status, body]).toEqual([
      422,
      { ok: false, error: UNREADABLE, reason, message: expect.any(String) },
    ]);
    expect(await ledger()).toEqual([]);
  });

  it.each([
    ['/page', 'unknown_kind'],
    ['/secret.pdf', 'encrypted'],
  ])('says why %s has no text, for nothing', async (address, reason) => {
    expect(await parseUrl(site.url(address))).toMatchObject({
      status: 422,
      body: { ok: false, error: UNREADABLE, reason },
    });
    expect(await ledger()).toEqual([]);
  });

  it('reports that an address could not be fetched', async () => {
    expect(await parseUrl(site.url('/status/404'))).toMatchObject({
      status: 422,
      body: { ok: false, error: 'Fetch failed: HTTP 404' },
    });
  });

  it.each([
    ['{}', 400, '`url` is required'],
    ['{"url":"nope"}', 400, 'Invalid URL'],
    ['{"url":"http://169.254.169.254/a.pdf"}', 400, 'Blocked URL: http://169.254.169.254/a.pdf'],
    ['{"url":', 400, 'Invalid JSON body'],
  ])('refuses %s', async (body, status, error) => {
    const answer = await client.call('POST', '/v1/parse', body);
    expect([answer.status, (answer.body as { error: string }).error]).toEqual([status, error]);
  });

  it('is the response of a scrape of a PDF, without a cascade', async () => {
    const answer = await client.scrape({ url: site.url('/report.pdf') });
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        url: site.url('/report.pdf'),
        ok: true,
        isPdf: true,
        markdown: expect.stringContaining('Annual report of the harbour'),
        text: expect.stringContaining('Second page about cranes'),
      },
    ]);
    expect(await client.scrape({ url: site.url('/secret.pdf') })).toMatchObject({
      status: 422,
      body: { ok: false, error: UNREADABLE, reason: 'encrypted' },
    });
  });

  /** Uploads in the storage of the service. */
  const uploads = async (): Promise<string[]> => {
    const { STORAGE_URL, DATA_DIR = '' } = service.env;
    const url = STORAGE_URL ?? pathToFileURL(path.join(DATA_DIR, 'blobs')).href;
    const blobs = openBlobStore({ url, publicUrl: '', downloadSecret: new Uint8Array(32) });
    const keys: string[] = [];
    for await (const { key } of blobs.list(UPLOAD_FOLDER)) keys.push(key);
    await blobs.close();
    return keys;
  };

  it('keeps no upload: read, unreadable, or broken off', async () => {
    await upload(PDF);
    await upload(ENCRYPTED);
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(
      `POST /v1/parse HTTP/1.1\r\nhost: a\r\nx-api-key: ${caller.key}\r\ncontent-length: 500000\r\n` +
        'content-type: multipart/form-data; boundary=x\r\n\r\n' +
        `--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n${'y'.repeat(200_000)}`,
    );
    await once(socket, 'connect');
    socket.end();
    socket.resume();
    await once(socket, 'close');
    await until(async () => (await uploads()).length === 0, { what: 'no upload in storage' });
    expect((await upload(PDF)).status).toBe(200);
  });

  it('leaves the health of the service alone after many broken files', async () => {
    const broken = Array.from({ length: 12 }, (_, n) => PDF.subarray(0, 40 + 20 * n));
    const answers = await Promise.all(broken.map((file) => upload(file)));
    expect(answers.every(({ status }) => status === 422 || status === 200)).toBe(true);
    expect((await upload(PDF)).status).toBe(200);
  });
});
