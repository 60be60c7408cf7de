import { once } from 'node:events';
import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliCompress,
  createDeflate,
  createGzip,
  createZstdCompress,
  gzipSync,
} from 'node:zlib';
import { articleHtml } from './article.js';
import { htmlPage, numberIn, type Route, type RouteVisit, sendHtml } from './route.js';
import { drainedOrClosed } from './tarpit-routes.js';

/** Small on the wire, huge in memory. Below `/bomb-as/` and `/dom/`. */
export const BOMB_ROUTES: readonly Route[] = [
  { path: /^\/bomb-as\/(gzip|deflate|br|zstd)\/(\d+)$/, serve: serveBomb },
  { path: /^\/bomb-as\/nested\/(\d+)\/(\d+)$/, serve: serveNestedBomb },
  { path: /^\/dom\/flat\/(\d+)$/, serve: serveFlat },
  { path: /^\/dom\/script\/(\d+)$/, serve: serveByScript },
  { path: /^\/dom\/attributes\/(\d+)$/, serve: serveAttributes },
  { path: /^\/dom\/text\/(\d+)$/, serve: serveLongText },
];

const MAX_BOMB_BYTES = 200_000_000;
const MAX_LAYERS = 12;
const BLOCK = Buffer.from('<p>boom boom boom boom boom boom boom boom boom</p>\n'.repeat(1_200));

const COMPRESSORS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGzip(),
  deflate: () => createDeflate(),
  // Its best quality takes minutes and gains nothing on such a text.
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: () => createZstdCompress(),
};

/** Built once per address: the bytes are few, the work is not. */
const built = new Map<string, Promise<Buffer>>();
const MAX_BUILT = 32;

/** An article, then `bytes` of one line, compressed by a thousand and more. */
async function serveBomb(visit: RouteVisit): Promise<void> {
  const encoding = visit.groups[0] ?? 'gzip';
  const body = await bombOf(encoding, numberIn(visit, 1, MAX_BOMB_BYTES));
  sendEncoded(visit, encoding, body);
}

/** `/bomb-as/nested/<layers>/<bytes>`: gzip in gzip. */
async function serveNestedBomb(visit: RouteVisit): Promise<void> {
  const layers = numberIn(visit, 0, MAX_LAYERS);
  let body = await bombOf('gzip', numberIn(visit, 1, MAX_BOMB_BYTES));
  for (let layer = 1; layer < layers; layer++) body = gzipSync(body);
  sendEncoded(visit, Array.from({ length: layers }, () => 'gzip').join(', '), body);
}

function sendEncoded({ response }: RouteVisit, encoding: string, body: Buffer): void {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-encoding': encoding };
  response.writeHead(200, headers).end(body);
}

function bombOf(encoding: string, bytes: number): Promise<Buffer> {
  const key = `${encoding}/${bytes}`;
  if (built.size > MAX_BUILT) built.clear();
  const bomb = built.get(key) ?? compress(encoding, bytes);
  built.set(key, bomb);
  return bomb;
}

async function compress(encoding: string, bytes: number): Promise<Buffer> {
  const stream = (COMPRESSORS[encoding] ?? createGzip)();
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = once(stream, 'end');
  stream.write(`<!doctype html><html><head><title>Bomb</title></head><body>${articleHtml('bomb')}`);
  for (let written = 0; written < bytes; written += BLOCK.length) {
    if (!stream.write(BLOCK)) await once(stream, 'drain');
  }
  stream.end('</body></html>');
  await ended;
  return Buffer.concat(chunks);
}

const MAX_NODES = 2_000_000;

/** `n` small elements in a row, after an article. */
async function serveFlat(visit: RouteVisit): Promise<void> {
  const { response } = visit;
  const count = numberIn(visit, 0, MAX_NODES);
  const line = '<i>x</i>'.repeat(1_000);
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.write(
    `<!doctype html><html><head><title>Flat</title></head><body>${articleHtml('dom-flat')}<p>`,
  );
  for (let sent = 0; sent < count && !response.closed; sent += 1_000) {
    if (!response.write(line)) await drainedOrClosed(response);
  }
  response.end('</p></body></html>');
}

/** The same, made by a script when the page has loaded. */
function serveByScript(visit: RouteVisit): void {
  const count = numberIn(visit, 0, MAX_NODES);
  const body = `${articleHtml('dom-script')}<div id="box"></div><script>
const box = document.getElementById('box');
for (let n = 0; n < ${count}; n++) box.append(document.createElement('i'));
</script>`;
  sendHtml(visit.response, htmlPage({ title: 'By script', body }));
}

/** One element with `n` attributes. */
function serveAttributes(visit: RouteVisit): void {
  const count = numberIn(visit, 0, 500_000);
  const attributes = Array.from({ length: count }, (_, n) => `a${n}=1`).join(' ');
  const body = `<div ${attributes}></div>${articleHtml('dom-attributes')}`;
  sendHtml(visit.response, htmlPage({ title: 'Attributes', body }));
}

/** One text of `n` characters without a space. */
function serveLongText(visit: RouteVisit): void {
  const body = `${articleHtml('dom-text')}<p>${'x'.repeat(numberIn(visit, 0, 9_000_000))}</p>`;
  sendHtml(visit.response, htmlPage({ title: 'Long text', body }));
}
