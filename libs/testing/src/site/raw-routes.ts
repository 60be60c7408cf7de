import { articleHtml } from './article.js';
import { htmlPage, type Route, type RouteVisit, sendHtml } from './route.js';

/** Answers that break HTTP, and bodies that are no page. Below `/raw/`, `/download/` and `/kind/`. */
export const RAW_ROUTES: readonly Route[] = [
  { path: /^\/raw\/header-flood$/, serve: serveHeaderFlood },
  { path: /^\/raw\/([\w.-]+)$/, serve: serveRaw },
  { path: /^\/download\/(html|bytes|pdf|csv|zip)$/, serve: serveDownload },
  { path: /^\/kind\/([\w-]+)$/, serve: serveKind },
];

const HTML_HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';
const PAGE = htmlPage({ title: 'Raw', body: articleHtml('raw') });

/** Whole answers, byte for byte; the connection is closed after them. */
const RAW: Readonly<Record<string, string>> = {
  'http-0.9': PAGE,
  'not-http': 'SSH-2.0-OpenSSH_9.2\r\n',
  nothing: '',
  'long-length': `${HTML_HEAD}Content-Length: ${PAGE.length + 5_000}\r\n\r\n${PAGE}`,
  'short-length': `${HTML_HEAD}Content-Length: 120\r\n\r\n${PAGE}`,
  'two-lengths': `${HTML_HEAD}Content-Length: 10\r\nContent-Length: ${PAGE.length}\r\n\r\n${PAGE}`,
  'cut-chunk': `${HTML_HEAD}Transfer-Encoding: chunked\r\n\r\nffff\r\n${PAGE}`,
  'bad-chunk': `${HTML_HEAD}Transfer-Encoding: chunked\r\n\r\nnonsense\r\n${PAGE}\r\n0\r\n\r\n`,
  'cut-headers': `${HTML_HEAD}X-Half: `,
  'nul-header': `${HTML_HEAD}X-Nul: a\0b\r\nContent-Length: 0\r\n\r\n`,
  'no-length': `${HTML_HEAD}\r\n${PAGE}`,
};

function serveRaw({ response, socket, groups }: RouteVisit): void {
  const text = RAW[groups[0] ?? ''];
  if (text === undefined) return void response.writeHead(404).end('no such answer');
  socket.end(text);
}

const MAX_FLOOD_LINES = 100_000;

/** Headers as fast as they are read, never the last one. */
function serveHeaderFlood({ socket }: RouteVisit): void {
  socket.write(HTML_HEAD);
  let line = 0;
  const flood = (): void => {
    while (line < MAX_FLOOD_LINES && !socket.destroyed) {
      if (!socket.write(`X-Flood-${line++}: ${'y'.repeat(200)}\r\n`)) return;
    }
    socket.off('drain', flood);
  };
  socket.on('drain', flood);
  flood();
}

interface Download {
  readonly type: string;
  readonly file: string;
  readonly body: string | Buffer;
}

const BYTES = Buffer.from(Array.from({ length: 4_096 }, (_, n) => (n * 7) % 256));

const DOWNLOADS: Readonly<Record<string, Download>> = {
  html: {
    type: 'text/html',
    file: 'page.html',
    body: htmlPage({ title: 'Saved', body: articleHtml('download-html') }),
  },
  bytes: { type: 'application/octet-stream', file: 'data.bin', body: BYTES },
  pdf: {
    type: 'application/pdf',
    file: 'paper.pdf',
    body: '%PDF-1.4\n%broken on purpose\n%%EOF\n',
  },
  csv: { type: 'text/csv', file: 'table.csv', body: 'name,size\nfirst-row,1\nlast-row,2\n' },
  zip: {
    type: 'application/zip',
    file: 'all.zip',
    body: Buffer.from('504b0304140000000000', 'hex'),
  },
};

function serveDownload({ response, groups }: RouteVisit): void {
  const download = DOWNLOADS[groups[0] ?? ''];
  if (download === undefined) return void response.writeHead(404).end('no such file');
  response
    .writeHead(200, {
      'content-type': download.type,
      'content-disposition': `attachment; filename="${download.file}"`,
      'content-length': Buffer.byteLength(download.body),
    })
    .end(download.body);
}

const FEED =
  '<?xml version="1.0"?><rss version="2.0"><channel><title>Feed</title><item><title>First item of the feed</title><link>http://example.invalid/1</link></item></channel></rss>';

/** Bodies by kind; those of a page with nothing on it are named for what is there instead. */
const KINDS: Readonly<Record<string, { readonly type: string; readonly body: string | Buffer }>> = {
  feed: { type: 'application/rss+xml', body: FEED },
  text: { type: 'text/plain; charset=utf-8', body: 'Plain words of a plain text.\nSecond line.\n' },
  'json-as-html': { type: 'text/html', body: '{"name":"json-in-disguise"}' },
  'html-as-text': {
    type: 'text/plain',
    body: htmlPage({ title: 'As text', body: articleHtml('kind-html-as-text') }),
  },
  'only-scripts': {
    type: 'text/html',
    body: '<!doctype html><html><head><title>S</title></head><body><script>window.x = 1;</script><script>window.y = 2;</script></body></html>',
  },
  'only-images': {
    type: 'text/html',
    body: '<!doctype html><html><head><title>I</title></head><body><img src="/binary.png" alt="A lighthouse at dusk"><img src="/binary.png?2" alt="The same at dawn"></body></html>',
  },
  'only-comments': {
    type: 'text/html',
    body: '<!doctype html><html><head><title>C</title></head><body><!-- nothing --><!-- to see --></body></html>',
  },
  'only-spaces': {
    type: 'text/html',
    body: `<!doctype html><html><head><title>N</title></head><body><p>${'&nbsp; '.repeat(300)}</p></body></html>`,
  },
  'only-hidden': {
    type: 'text/html',
    body: `<!doctype html><html><head><title>H</title></head><body><div style="display:none">${articleHtml('kind-hidden')}</div></body></html>`,
  },
  'only-frame': {
    type: 'text/html',
    body: '<!doctype html><html><head><title>F</title></head><body><iframe src="/frames/leaf/only-frame"></iframe></body></html>',
  },
  frameset: {
    type: 'text/html',
    body: '<!doctype html><html><head><title>FS</title></head><frameset cols="50%,50%"><frame src="/frames/leaf/left"><frame src="/frames/leaf/right"></frameset></html>',
  },
  bytes: { type: 'application/octet-stream', body: BYTES },
  'bytes-as-html': { type: 'text/html', body: BYTES },
};

function serveKind(visit: RouteVisit): void {
  const kind = KINDS[visit.groups[0] ?? ''];
  if (kind === undefined) return sendHtml(visit.response, 'no such kind', 404);
  visit.response.writeHead(200, { 'content-type': kind.type }).end(kind.body);
}
