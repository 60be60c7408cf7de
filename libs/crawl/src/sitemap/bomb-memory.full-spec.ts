import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync, createGzip } from 'node:zlib';

const MIB = 1024 ** 2;
/** As it was built: a compiler in the measured process would hide what it reads. */
const READER = path.resolve(__dirname, '../../../../dist/libs/crawl/src/sitemap/read-sitemap.js');
/** What a process may grow by, whatever it is given to read. */
const MAX_GROWTH_MIB = 64;

/**
 * Reads the file it is named in pieces as they come from a socket, and reports how far its peak
 * lies above its memory after a small sitemap. As a process of its own: the peak is the whole
 * process's.
 */
const CHILD = `
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { readSitemap, streamSitemap } from ${JSON.stringify(READER)};
const source = { url: 'https://a.example/sitemap.xml', contentType: null };
await readSitemap([Buffer.from('<urlset><url><loc>/a</loc></url></urlset>')], source);
const before = process.memoryUsage().rss;
let entries = 0;
let cuts = [];
let kind = '';
for await (const batch of streamSitemap(createReadStream(process.argv[2]), source)) {
  entries += batch.links.length + batch.children.length;
  ({ cuts, kind } = batch);
}
// The system's own figure begins with what the parent had when it started this process.
const peakOf = () => /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1];
const peak = (existsSync('/proc/self/status') ? peakOf() : process.resourceUsage().maxRSS) * 1024;
console.log(JSON.stringify({ grownBytes: peak - before, entries, cuts, kind }));
`;

interface Measured {
  readonly grownBytes: number;
  readonly entries: number;
  readonly cuts: readonly string[];
  readonly kind: string;
}

function measure(folder: string, file: string): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(folder, 'child.mjs'), file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(JSON.parse(text) as Measured) : reject(new Error(`exit ${code}`)),
    );
  });
}

/** `bytes` of one repeated text, between a start and an end, compressed a thousand times. */
function packed(bytes: number, unit: string, start = '', end = ''): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const gzip = createGzip();
    const chunks: Buffer[] = [];
    gzip.on('data', (chunk: Buffer) => chunks.push(chunk));
    gzip.on('end', () => resolve(Buffer.concat(chunks)));
    gzip.on('error', reject);
    const block = Buffer.from(unit.repeat(Math.ceil(MIB / unit.length)));
    let left = bytes;
    const feed = (): void => {
      while (left > 0) {
        left -= block.length;
        if (!gzip.write(block)) return void gzip.once('drain', feed);
      }
      gzip.end(end);
    };
    gzip.write(start);
    feed();
  });
}

/** Far beyond what is read of a file, and quickly made. */
const MUCH = 200 * MIB;
const VERY_MUCH = 2_048 * MIB;
/** As long as 50,000 of them may be in a file. */
const FULL_ENTRY = `<url><loc>https://a.example/${'x'.repeat(900)}</loc><lastmod>2026-11-01</lastmod></url>`;

const MANY_NAMES = Array.from({ length: 10_000 }, (_, n) => `<name-of-some-length-${n}>`).join('');
const MANY_ATTRIBUTES = Array.from(
  { length: 10_000 },
  (_, n) => `name-of-some-length-${n}=v `,
).join('');

const BOMBS: readonly (readonly [string, string, () => Promise<Uint8Array>])[] = [
  ['gigabytes of blanks', 'bytes', () => packed(VERY_MUCH, ' ', '<urlset>')],
  ['gigabytes, packed twice', 'bytes', async () => gzipSync(await packed(VERY_MUCH, ' ', '<urlset>'))],
  ['one address', 'bytes', () => packed(MUCH, 'a', '<urlset><url><loc>http://a/')],
  ['one name', 'bytes', () => packed(MUCH, 'a', '<urlset><')],
  ['many names', 'bytes', () => packed(MUCH, MANY_NAMES, '<urlset>')],
  ['one attribute', 'bytes', () => packed(MUCH, 'a', '<feed><entry><link href="')],
  ['many attributes', 'bytes', () => packed(MUCH, MANY_ATTRIBUTES, '<feed><entry><link ')],
  ['one CDATA section', 'bytes', () => packed(MUCH, 'a', '<urlset><url><loc><![CDATA[')],
  ['a comment', 'bytes', () => packed(MUCH, '-', '<urlset><!--')],
  ['open tags', 'bytes', () => packed(MUCH, '<url>', '<urlset>')],
  ['entities', 'bytes', () => packed(MUCH, '<!ENTITY a "&b;&b;">', '<!DOCTYPE a [')],
  ['zeros', 'bytes', () => packed(MUCH, '\0')],
  ['one line of text', 'bytes', () => packed(MUCH, 'a', 'http://a/b\nhttp://a/')],
  ['UTF-16', 'bytes', () => packed(MUCH, 'a\0', '<\0u\0r\0l\0s\0e\0t\0>\0<\0')],
  ['entries', 'urls', () => packed(MUCH, FULL_ENTRY, '<urlset>')],
  ['what is not packed', 'bytes', () => Promise.resolve(Buffer.alloc(60 * MIB, '<urlset>'))],
  ['an unpacked member', 'bytes', () => Promise.resolve(gzipSync(Buffer.alloc(60 * MIB, '<urlset>'), { level: 0 }))],
  ['members', 'incomplete', () => Promise.resolve(Buffer.alloc(5 * MIB, gzipSync(' ')))],
]; // prettier-ignore

describe('memory of reading a bomb', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'trawl-sitemap-'));
    writeFileSync(path.join(folder, 'child.mjs'), CHILD);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(BOMBS)('stays below 64 MB: %s', async (_name, cut, build) => {
    const file = path.join(folder, 'bomb');
    writeFileSync(file, await build());
    const { grownBytes, cuts } = await measure(folder, file);
    expect(cuts).toEqual([cut]);
    expect(Math.round(grownBytes / MIB)).toBeLessThan(MAX_GROWTH_MIB);
  });
});
