import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { CHARSET_SAMPLES, encodeText } from './charset-samples.js';
import { htmlPage, numberIn, type Route, type RouteVisit, sendHtml } from './route.js';
import { sendText, waitUnlessClosed } from './site-server.js';

const MAX_BYTES = 200_000_000;
const CHUNK_BYTES = 65_536;

/** Pages whose trap is in the bytes: size, compression, character set, kind, or their pace. */
export const BODY_ROUTES: readonly Route[] = [
  { path: /^\/big\/(\d+)$/, serve: serveBig },
  { path: /^\/(gzip|br|zstd|deflate)$/, serve: serveEncoded },
  { path: /^\/bomb\/(\d+)$/, serve: serveBomb },
  { path: /^\/broken-gzip$/, serve: serveBrokenGzip },
  { path: /^\/charset\/([\w-]+)\/(header|meta|bom|none)$/, serve: serveCharset },
  { path: /^\/deep\/(\d+)$/, serve: serveDeep },
  { path: /^\/binary\.png$/, serve: servePng },
  { path: /^\/pdf$/, serve: servePdf },
  { path: /^\/hang$/, serve: () => {} },
  { path: /^\/drip(?:\/(\d+))?$/, serve: serveDrip },
  { path: /^\/header-drip$/, serve: serveHeaderDrip },
  { path: /^\/reset$/, serve: ({ socket }) => void socket.resetAndDestroy() },
  { path: /^\/truncated$/, serve: serveTruncated },
];

/** At least `bytes` of HTML, streamed without a length, marker at the very end. */
async function serveBig(visit: RouteVisit): Promise<void> {
  const { response } = visit;
  const bytes = numberIn(visit, 0, MAX_BYTES);
  const line = `<p>${'A long page goes on and on. '.repeat(20)}</p>\n`;
  const chunk = line.repeat(Math.ceil(CHUNK_BYTES / line.length));
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.write('<!doctype html><html><head><title>Big</title></head><body>\n');
  for (let sent = 0; sent < bytes && !response.closed; sent += chunk.length) {
    if (!response.write(chunk.slice(0, bytes - sent))) await drained(response);
  }
  response.end('<p>big-end</p></body></html>');
}

function drained(response: RouteVisit['response']): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      response.off('drain', finish);
      response.off('close', finish);
      resolve();
    };
    response.on('drain', finish);
    response.on('close', finish);
  });
}

const ENCODERS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gzipSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
  deflate: deflateSync,
};

/** Compressed whatever the client accepts. */
function serveEncoded({ response, groups }: RouteVisit): void {
  const encoding = groups[0] ?? 'gzip';
  const body = `<p>This page travelled as ${encoding} and should read like any other.</p>`;
  const bytes = ENCODERS[encoding]?.(
    Buffer.from(htmlPage({ title: `Encoding ${encoding}`, body })),
  );
  response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': encoding }).end(bytes);
}

/** `bytes` of spaces that travel as a thousandth of that. */
function serveBomb(visit: RouteVisit): void {
  const bytes = gzipSync(Buffer.alloc(numberIn(visit, 0, MAX_BYTES), ' '));
  visit.response
    .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
    .end(bytes);
}

function serveBrokenGzip({ response }: RouteVisit): void {
  const whole = gzipSync(htmlPage({ title: 'Broken', body: '<p>never whole</p>'.repeat(500) }));
  response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' });
  response.end(whole.fill(0xff, whole.length / 3, whole.length / 2));
}

/** A sentence in its own character set, declared in the header, in a meta, by a BOM, or not at all. */
function serveCharset({ response, groups }: RouteVisit): void {
  const [charset = '', declared] = groups;
  const sentence = CHARSET_SAMPLES[charset];
  if (sentence === undefined) return sendText(response, 404, `no sample in ${charset}`);
  const head = declared === 'meta' ? `<meta charset="${charset}">` : '';
  const html = `<!doctype html><html><head>${head}<title>${sentence}</title></head><body><p>${`${sentence} `.repeat(10)}</p></body></html>`;
  const text = declared === 'bom' ? `\uFEFF${html}` : html;
  const type = declared === 'header' ? `text/html; charset=${charset}` : 'text/html';
  response.writeHead(200, { 'content-type': type }).end(encodeText(text, charset));
}

/** Elements nested `depth` deep: what overflows a recursive converter. */
function serveDeep(visit: RouteVisit): void {
  const depth = numberIn(visit, 0, 1_000_000);
  const body = `${'<div>'.repeat(depth)}<p>The bottom of the well.</p>${'</div>'.repeat(depth)}`;
  sendHtml(visit.response, htmlPage({ title: 'Deep', body }));
}

const PIXEL_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function servePng({ response }: RouteVisit): void {
  response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from(PIXEL_PNG, 'base64'));
}

/** A whole one-page PDF that says "Fixture PDF". */
function servePdf({ response }: RouteVisit): void {
  response.writeHead(200, { 'content-type': 'application/pdf' }).end(fixturePdf());
}

function fixturePdf(): string {
  const text = 'BT /F1 24 Tf 72 720 Td (Fixture PDF) Tj ET';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let pdf = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = pdf.length;
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`;
  return pdf + table + trailer;
}

/** One byte per second, or per `/drip/<ms>`, for ever. */
async function serveDrip(visit: RouteVisit): Promise<void> {
  const everyMs = visit.groups[0] ? numberIn(visit, 0) : 1_000;
  visit.response.writeHead(200, { 'content-type': 'text/html' });
  visit.response.write('<!doctype html><title>Drip</title><p>');
  while (!visit.response.closed) {
    visit.response.write('x');
    await waitUnlessClosed(visit.response, Math.max(1, everyMs));
  }
}

/** One header line per 200 ms, never the last one. */
async function serveHeaderDrip({ response, socket }: RouteVisit): Promise<void> {
  socket.write('HTTP/1.1 200 OK\r\n');
  for (let line = 0; !response.closed && !socket.destroyed; line++) {
    socket.write(`x-drip-${line}: 1\r\n`);
    await waitUnlessClosed(response, 200);
  }
}

/** Announces 100 kB, sends 1 kB, and breaks the connection. */
function serveTruncated({ response, socket }: RouteVisit): void {
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': 100_000 });
  response.write(`<!doctype html><title>Truncated</title><p>${'cut '.repeat(250)}`, () =>
    socket.destroy(),
  );
}
