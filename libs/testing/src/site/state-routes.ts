import { sendArticle, sendScript } from './article.js';
import { sendJson } from './send-json.js';
import { type Route, type RouteVisit } from './route.js';
import { sendText } from './site-server.js';

/**
 * What a browser keeps of a visit, and pages that read it back. `/state/keep?mark=m` keeps the mark
 * in every place there is; `/state/read` shows what is there, `none` where nothing is.
 */
export const STATE_ROUTES: readonly Route[] = [
  { path: /^\/state\/keep$/, serve: serveKeep },
  { path: /^\/state\/read$/, serve: serveRead },
  { path: /^\/state\/cached$/, serve: serveCached },
  { path: /^\/state\/worker\.js$/, serve: serveWorker },
  { path: /^\/state\/cookie$/, serve: serveCookie },
  { path: /^\/state\/basic$/, serve: serveBasic },
  { path: /^\/state\/headers$/, serve: serveHeaders },
];

/** Places are asked one after another and each failure is shown: a place that is shut is a result too. */
const KEEP_SCRIPT = `
const mark = new URLSearchParams(location.search).get('mark');
const request = indexedDB.open('kept', 1);
const database = new Promise((resolve, reject) => {
  request.onupgradeneeded = () => request.result.createObjectStore('marks');
  request.onsuccess = () => {
    const writing = request.result.transaction('marks', 'readwrite');
    writing.objectStore('marks').put(mark, 'mark');
    writing.oncomplete = () => resolve();
  };
  request.onerror = () => reject(request.error);
});
const places = {
  script: () => { document.cookie = 'script=' + mark + '; path=/; max-age=9999'; },
  local: () => localStorage.setItem('mark', mark),
  session: () => sessionStorage.setItem('mark', mark),
  database: () => database,
  caches: async () => (await caches.open('kept')).put('/state/kept', new Response(mark)),
  cached: async () => { await fetch('/state/cached'); },
  name: () => { window.name = mark; },
  worker: async () => { await navigator.serviceWorker.register('/state/worker.js?' + mark, { scope: '/state/' }); await navigator.serviceWorker.ready; },
};
`;

const READ_SCRIPT = `
const places = {
  cookie: () => document.cookie,
  local: () => localStorage.getItem('mark'),
  session: () => sessionStorage.getItem('mark'),
  database: () => new Promise((resolve, reject) => {
    const request = indexedDB.open('kept', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('marks');
    request.onsuccess = () => {
      const read = request.result.transaction('marks').objectStore('marks').get('mark');
      read.onsuccess = () => resolve(read.result ?? null);
    };
    request.onerror = () => reject(request.error);
  }),
  caches: async () => (await (await caches.match('/state/kept'))?.text()) ?? null,
  cached: async () => 'visit ' + (await (await fetch('/state/cached')).json()).times,
  name: () => window.name,
  worker: async () => (await navigator.serviceWorker.getRegistrations()).length || null,
};
`;

const SHOW_SCRIPT = `
const show = async () => {
  for (const [name, act] of Object.entries(places)) {
    const line = document.createElement('p');
    const limit = new Promise((_, reject) => setTimeout(() => reject(new Error('shut')), 500));
    try {
      const found = await Promise.race([act(), limit]);
      line.textContent = name + ': ' + (found === undefined ? 'kept' : found || 'none');
    }
    catch (error) { line.textContent = name + ': refused ' + error.name; }
    document.getElementById('places').append(line);
  }
  const end = Object.assign(document.createElement('p'), { id: 'shown', textContent: 'places-shown' });
  document.getElementById('places').append(end);
};
show();`;

function serveKeep(visit: RouteVisit): void {
  const mark = markOf(visit);
  visit.response.setHeader('set-cookie', [
    `mark=${mark}; Path=/; Max-Age=9999`,
    `http_only=${mark}; Path=/; HttpOnly; Max-Age=9999`,
  ]);
  sendPlaces(visit, 'state-keep', KEEP_SCRIPT);
}

function serveRead(visit: RouteVisit): void {
  const cookies = visit.request.headers.cookie ?? 'none';
  sendPlaces(visit, 'state-read', READ_SCRIPT, `<p>sent-cookies: ${escapeHtml(cookies)}</p>`);
}

function sendPlaces(visit: RouteVisit, topic: string, script: string, before = ''): void {
  const after = `${before}<div id="places"></div><script>${script}${SHOW_SCRIPT}</script>`;
  sendArticle(visit, { topic, after });
}

/** Only letters and digits: the mark goes into headers. */
function markOf({ url }: RouteVisit): string {
  return (url.searchParams.get('mark') ?? 'mark').replaceAll(/[^\w-]/g, '').slice(0, 60);
}

/** Fresh for a day: a browser or client with a cache does not ask again, and shows the old count. */
function serveCached({ response, times }: RouteVisit): void {
  response.setHeader('cache-control', 'public, max-age=86400');
  sendJson(response, 200, { times });
}

/** Answers every page below `/state/` itself, once it is installed. */
function serveWorker(visit: RouteVisit): void {
  sendScript(
    visit,
    `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => event.respondWith(new Response('<h1>from-the-worker</h1>', { headers: { 'content-type': 'text/html' } })));`,
  );
}

/** Sets a cookie and shows what was sent: the plain rung's part of the test. */
function serveCookie(visit: RouteVisit): void {
  visit.response.setHeader('set-cookie', `mark=${markOf(visit)}; Path=/; Max-Age=9999`);
  const sent = escapeHtml(visit.request.headers.cookie ?? 'none');
  sendArticle(visit, { topic: 'state-cookie', after: `<p>sent-cookies: ${sent}</p>` });
}

/** HTTP authentication: any name with the password `open`. */
function serveBasic(visit: RouteVisit): void {
  const [scheme, text = ''] = (visit.request.headers.authorization ?? '').split(' ');
  const [name = '', password] = Buffer.from(text, 'base64').toString('utf8').split(':');
  if (scheme === 'Basic' && password === 'open') {
    return sendArticle(visit, { topic: 'state-basic', after: `<p>hello ${escapeHtml(name)}</p>` });
  }
  visit.response.setHeader('www-authenticate', 'Basic realm="fixture", charset="UTF-8"');
  sendText(visit.response, 401, 'Who are you?');
}

/** The request's headers as text of a page. */
function serveHeaders(visit: RouteVisit): void {
  const lines = Object.entries(visit.request.headers).map(
    ([name, value]) => `<p>${escapeHtml(`${name}: ${String(value)}`)}</p>`,
  );
  sendArticle(visit, { topic: 'state-headers', after: lines.join('\n') });
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
