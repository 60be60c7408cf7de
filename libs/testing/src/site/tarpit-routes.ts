import { createHash } from 'node:crypto';
import { articleHtml, sendArticle } from './article.js';
import { type Route, type RouteVisit } from './route.js';
import { waitUnlessClosed } from './site-server.js';

const SYNC_XHR =
  "const request = new XMLHttpRequest(); request.open('GET', '/hang', false); request.send();";
const LONG_POLL = "const poll = () => fetch('/tarpit/poll').then(poll, poll); poll();";
const WEB_SOCKET = "new WebSocket(location.origin.replace('http', 'ws') + '/tarpit/socket');";

/** Answers that take for ever, at each phase. All below `/tarpit/`; `/hang` and `/drip` are older. */
export const TARPIT_ROUTES: readonly Route[] = [
  { path: /^\/tarpit\/header-bytes$/, serve: serveHeaderBytes },
  { path: /^\/tarpit\/late-body$/, serve: serveLateBody },
  { path: /^\/tarpit\/endless-body$/, serve: serveEndlessBody },
  { path: /^\/tarpit\/(image|stylesheet|script|late-script|font|frame)$/, serve: serveHungPart },
  { path: /^\/tarpit\/xhr$/, serve: withScript('xhr', "fetch('/hang');") },
  { path: /^\/tarpit\/sync-xhr$/, serve: withScript('sync-xhr', SYNC_XHR) },
  { path: /^\/tarpit\/long-poll$/, serve: withScript('long-poll', LONG_POLL) },
  { path: /^\/tarpit\/poll$/, serve: servePoll },
  {
    path: /^\/tarpit\/event-source$/,
    serve: withScript('event-source', "new EventSource('/tarpit/events');"),
  },
  { path: /^\/tarpit\/events$/, serve: serveEvents },
  { path: /^\/tarpit\/web-socket$/, serve: withScript('web-socket', WEB_SOCKET) },
  { path: /^\/tarpit\/socket$/, serve: serveSocket },
];

/** One byte of a status line and of headers without end per second. */
async function serveHeaderBytes({ response, socket }: RouteVisit): Promise<void> {
  const text = 'HTTP/1.1 200 OK\r\nx-slow: ';
  for (let at = 0; !response.closed && !socket.destroyed; at++) {
    socket.write(text[at] ?? 'x');
    await waitUnlessClosed(response, 1_000);
  }
}

/** A whole article at once, then one byte per second. */
async function serveLateBody({ response }: RouteVisit): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.write(
    `<!doctype html><html><head><title>Late</title></head><body>${articleHtml('tarpit-late-body')}<p>`,
  );
  while (!response.closed) {
    response.write('.');
    await waitUnlessClosed(response, 1_000);
  }
}

const MAX_ENDLESS_BYTES = 400_000_000;
const LINE = '<p>This page goes on and on, as fast as the reader takes it.</p>\n'.repeat(500);

/** As fast as it is read; bounded so that a reader without a bound does not fill the machine. */
async function serveEndlessBody({ response }: RouteVisit): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.write(
    `<!doctype html><html><head><title>Endless</title></head><body>${articleHtml('tarpit-endless-body')}`,
  );
  for (let sent = 0; sent < MAX_ENDLESS_BYTES && !response.closed; sent += LINE.length) {
    if (!response.write(LINE)) await drainedOrClosed(response);
  }
  response.end();
}

export function drainedOrClosed(response: RouteVisit['response']): Promise<void> {
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

/** What of the page never arrives, and where it is. */
const HUNG: Readonly<Record<string, { readonly head?: string; readonly after?: string }>> = {
  image: { after: '<img src="/hang" alt="never">' },
  stylesheet: { head: '<link rel="stylesheet" href="/hang">' },
  script: { head: '<script src="/hang"></script>' },
  'late-script': { after: '<script src="/hang"></script><p>after-the-hung-script</p>' },
  font: {
    head: '<style>@font-face{font-family:x;src:url(/hang)}body{font-family:x,sans-serif}</style>',
  },
  frame: { after: '<iframe src="/hang"></iframe>' },
};

function serveHungPart(visit: RouteVisit): void {
  const part = visit.groups[0] ?? '';
  sendArticle(visit, { topic: `tarpit-${part}`, ...HUNG[part] });
}

/** An article, and a script after it. */
function withScript(name: string, script: string): Route['serve'] {
  return (visit) =>
    sendArticle(visit, { topic: `tarpit-${name}`, after: `<script>${script}</script>` });
}

async function servePoll({ response }: RouteVisit): Promise<void> {
  await waitUnlessClosed(response, 400);
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
}

async function serveEvents({ response }: RouteVisit): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  while (!response.closed) {
    response.write('data: still here\n\n');
    await waitUnlessClosed(response, 500);
  }
}

/** RFC 6455 1.3: appended to the key that the answer proves to have read. */
const WEB_SOCKET_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Opens a WebSocket and says nothing on it. */
function serveSocket({ request, socket }: RouteVisit): void {
  const key = String(request.headers['sec-websocket-key'] ?? '');
  const accept = createHash('sha1')
    .update(key + WEB_SOCKET_GUID)
    .digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
}
