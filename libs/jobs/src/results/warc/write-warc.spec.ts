import { createHash } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { DEFAULT_JOB_SCRAPE } from '@app/contracts';
import type { BlobStore } from '@app/blobs';
import type { ArchivedRow, CopyRow } from '../url-report.js';
import type { JobEntity } from '../../job.entity.js';
import type { Statement, Database } from '@app/database';
import { readWarc, type ReadWarcRecord } from '../../../test/read-warc.js';
import { payloadDigest, recordId, warcFileName, writeWarc } from './write-warc.js';

const JOB_ID = '018f0000-0000-7000-8000-000000000001';
const UUID = /^<urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}>$/;

const HTML = {
  url: 'http://a.example/',
  ok: true,
  statusCode: 200,
  markdown: '# Ä\r\n\r\nWARC/1.1',
  rawHtml: '<h1>Ä</h1>\r\n\r\nWARC/1.1\r\n',
  metadata: { contentType: 'application/xhtml+xml; charset=latin1', title: 'A' },
};
const MARKDOWN = { url: 'http://a.example/b', ok: true, markdown: '# B', metadata: {} };
const PDF = { url: 'http://a.example/c', ok: true, isPdf: true, markdown: 'one', text: 'one' };
const LINKS = { url: 'http://a.example/d', ok: true, links: ['http://a.example/'], metadata: {} };

interface Stored {
  readonly documents: readonly object[];
  readonly copies?: readonly CopyRow[];
}

/** An archive of documents, the first of which may have copies. */
async function archiveOf({ documents, copies = [] }: Stored): Promise<Buffer> {
  const frames = documents.map((one) => zstdCompressSync(Buffer.from(JSON.stringify(one))));
  const segment = Buffer.concat(frames);
  const rows = frames.map((frame, n): ArchivedRow => ({
    resultNo: n + 1,
    key: 'segment',
    offset: frames.slice(0, n).reduce((sum, { length }) => sum + length, 0),
    bytes: frame.length,
    urlKey: n.toString(16).padStart(32, '0'),
    url: `http://a.example/requested/${n}`,
    finishedAt: new Date(Date.UTC(2026, 0, 2, 3, 4, 5, n)),
    hasCopies: n === 0 && copies.length > 0,
  }));
  const query = async ({ name }: Statement, values: readonly unknown[]): Promise<unknown[]> => {
    if (name === 'archived_rows')
      return rows
        .filter(({ resultNo }) => resultNo > Number(values[1]))
        .slice(0, Number(values[2]));
    if (name !== 'copies_of') throw new Error(`no answer to ${name}`);
    const after = String(values[2]);
    return copies.filter(({ urlKey }) => urlKey > after).slice(0, Number(values[3]));
  };
  const read: BlobStore['read'] = async (_key, range) =>
    segment.subarray(range?.offset, (range?.offset ?? 0) + (range?.length ?? 0));
  const ports = { database: { query } as unknown as Database, blobs: { read } as BlobStore };
  const chunks: Buffer[] = [];
  for await (const chunk of writeWarc(ports, JOB)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const JOB = {
  id: JOB_ID,
  type: 'crawl',
  url: 'http://a.example/',
  pageLimit: 1_000,
  createdAt: new Date(Date.UTC(2026, 0, 1)),
  options: { ignoreRobotsTxt: false, scrape: DEFAULT_JOB_SCRAPE },
} as unknown as JobEntity;

const typesOf = (records: readonly ReadWarcRecord[]) =>
  records.map(({ fields }) => fields.get('warc-type'));

describe('a web archive of a job', () => {
  it('begins with its type and owner', async () => {
    const [info] = readWarc(await archiveOf({ documents: [] }));
    expect(info?.fields.get('content-type')).toBe('application/warc-fields');
    expect(info?.fields.get('warc-filename')).toBe(warcFileName(JOB));
    expect(info?.fields.get('warc-date')).toBe('2026-01-01T00:00:00.000Z');
    const lines = info?.block.toString().split('\r\n') ?? [];
    expect(lines).toContain('format: WARC File Format 1.1');
    expect(lines).toContain(`isPartOf: ${JOB_ID}`);
    expect(lines).toContain('robots: classic');
  });

  it.each([
    ['HTML and Markdown', HTML, ['resource', 'conversion', 'metadata']],
    ['Markdown', MARKDOWN, ['conversion', 'metadata']],
    ['a document', PDF, ['conversion', 'metadata']],
    ['links alone', LINKS, ['metadata']],
  ])('has the known facts of a page with %s, and no response', async (_, document, types) => {
    const [, ...records] = readWarc(await archiveOf({ documents: [document] }));
    expect(typesOf(records)).toEqual(types);
    const first = records[0]?.fields.get('warc-record-id');
    for (const { fields, block } of records) {
      expect(fields.get('warc-record-id')).toMatch(UUID);
      expect(fields.get('warc-target-uri')).toBe(document.url);
      expect(fields.get('warc-date')).toBe('2026-01-02T03:04:05.000Z');
      expect(fields.get('warc-block-digest')).toBe(payloadDigest(block));
      const isFirst = fields.get('warc-record-id') === first;
      expect(fields.get('warc-refers-to')).toBe(isFirst ? undefined : first);
    }
    const metadata = JSON.parse(records.at(-1)?.block.toString() ?? '') as object;
    for (const name of ['markdown', 'rawHtml', 'text']) expect(metadata).not.toHaveProperty(name);
    expect(metadata).toMatchObject({ ok: true, url: document.url });
  });

  it('keeps every byte of a block, whatever looks like the end of a record', async () => {
    const [, html, markdown] = readWarc(await archiveOf({ documents: [HTML] }));
    expect(html?.block.toString()).toBe(HTML.rawHtml);
    expect(html?.fields.get('content-type')).toBe('application/xhtml+xml; charset=utf-8');
    expect(markdown?.block.toString()).toBe(HTML.markdown);
  });

  it.each([[HTML], [MARKDOWN]])('names the copies of a page as visits to it', async (document) => {
    const copies = Array.from({ length: 1_100 }, (_, n) => ({
      urlKey: (n + 16).toString(16).padStart(32, '0'),
      url: `http://a.example/copy/${n}`,
      finishedAt: new Date(Date.UTC(2026, 0, 3)),
    }));
    const records = readWarc(await archiveOf({ documents: [document, PDF], copies }));
    const visits = records.filter(({ fields }) => fields.get('warc-type') === 'revisit');
    const original = records[1]?.fields;
    expect(visits.map(({ fields }) => fields.get('warc-target-uri'))).toEqual(
      copies.map(({ url }) => url),
    );
    for (const { fields, block } of visits) {
      expect(block).toHaveLength(0);
      expect(fields.get('warc-profile')).toBe(
        'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest',
      );
      expect(fields.get('warc-payload-digest')).toBe(original?.get('warc-payload-digest'));
      expect(fields.get('warc-refers-to')).toBe(original?.get('warc-record-id'));
      expect(fields.get('warc-refers-to-target-uri')).toBe(document.url);
      expect(fields.get('warc-refers-to-date')).toBe(original?.get('warc-date'));
    }
    const ids = records.map(({ fields }) => fields.get('warc-record-id'));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('lets no address write a field of its own', async () => {
    const url = 'http://a.example/x\r\nWARC-Type: warcinfo\u2028é\ud800 y';
    const [, record] = readWarc(await archiveOf({ documents: [{ ...MARKDOWN, url }] }));
    expect(record?.fields.get('warc-type')).toBe('conversion');
    expect(record?.fields.get('warc-target-uri')).toMatch(
      /^http:\/\/a\.example\/x%0D%0AWARC-Type:%20/,
    );
  });

  it('is the same at every export', async () => {
    const documents = [HTML, MARKDOWN, PDF, LINKS];
    expect((await archiveOf({ documents })).equals(await archiveOf({ documents }))).toBe(true);
  });
});

describe('a digest', () => {
  it.each([
    ['', 'sha256:4OYMIQUY7QOBJGX36TEJS35ZEQT24QPEMSNZGTFESWMRW6CSXBKQ===='],
    ['abc', 'sha256:XJ4BNP4PAHH6UQKBIDPF3LRCEOYAGYNDSYLXVHFUCD7WD4QACWWQ===='],
  ])('of %p is SHA-256 in base 32', (text, digest) => {
    expect(payloadDigest(Buffer.from(text))).toBe(digest);
  });

  it('is other for other bytes', () => {
    const digests = Array.from({ length: 500 }, (_, n) =>
      payloadDigest(createHash('md5').update(`${n}`).digest()),
    );
    expect(new Set(digests).size).toBe(500);
    for (const digest of digests) expect(digest).toMatch(/^sha256:[A-Z2-7]{52}====$/);
  });
});

describe('the id of a record', () => {
  it('follows from the job and the subject: RFC 9562, version 5', () => {
    // The name-based UUID of www.example.com in the name space of DNS (RFC 9562, appendix A.4).
    expect(recordId('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
      '2ed6657d-e927-568b-95e1-2665a8aea6a2',
    );
  });
});
