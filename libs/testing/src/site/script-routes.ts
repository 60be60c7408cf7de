import { sendArticle } from './article.js';
import { type Route, type RouteVisit } from './route.js';

/**
 * Pages with scripts that harm the browser that runs them. Below `/dialog/`, `/popup/`, `/script/`,
 * `/memory/` and `/crash/`. Each shows its article first, so a reader without scripts has the whole
 * of it.
 */
export const SCRIPT_ROUTES: readonly Route[] = [
  { path: /^\/(dialog|popup|script|memory|crash)\/([\w-]+)$/, serve: serveScripted },
  { path: /^\/script\/small\/(\d+)$/, serve: ({ response }) => void response.writeHead(204).end() },
];

/** On load and not in the page: the article is parsed by then. */
const onLoad = (script: string): string => `addEventListener('load', () => { ${script} });`;

/** Most bytes a page of `/memory/` requests, unless stopped. */
const MAX_HOG_BYTES = 3_000_000_000;

const OVERGROWN_TEXT =
  "const part = 'x'.repeat(2 ** 29 - 24); const text = document.createTextNode(part); for (let n = 0; n < 8; n++) text.appendData(part);";

const SCRIPTS: Readonly<Record<string, string>> = {
  'dialog/alert': onLoad("for (let n = 0; n < 25; n++) alert('alert ' + n);"),
  'dialog/alert-loop': onLoad("for (;;) alert('again');"),
  'dialog/confirm': onLoad(
    "document.title = confirm('Sure?') ? 'yes' : 'no'; setInterval(() => confirm('Sure?'), 300);",
  ),
  'dialog/prompt': onLoad("document.title = String(prompt('Name?'));"),
  'dialog/beforeunload':
    "addEventListener('beforeunload', (event) => { event.preventDefault(); event.returnValue = 'Stay!'; });",
  'dialog/print': onLoad('print(); setInterval(print, 200);'),
  'dialog/fullscreen': onLoad(
    'document.documentElement.requestFullscreen().catch(() => {}); document.body.requestPointerLock();',
  ),
  'dialog/permissions': onLoad(
    'navigator.geolocation.getCurrentPosition(() => {}, () => {}); Notification.requestPermission(); navigator.mediaDevices?.getUserMedia({ audio: true }).catch(() => {});',
  ),
  'popup/storm': onLoad(
    "for (let n = 0; n < 50; n++) window.open('/shell/target/popup-' + n, '_blank');",
  ),
  'popup/links': onLoad(
    "for (let n = 0; n < 20; n++) { const a = document.createElement('a'); a.href = '/shell/target/popup-' + n; a.target = '_blank'; document.body.append(a); a.click(); }",
  ),
  'script/infinite': onLoad('for (;;) {}'),
  'script/infinite-early': 'for (;;) {}',
  'script/microtasks': onLoad('const again = () => Promise.resolve().then(again); again();'),
  'script/intervals': onLoad(
    "for (let n = 0; n < 200; n++) setInterval(() => { document.body.dataset['n' + n] = String(Math.random()); }, 0);",
  ),
  'script/mutations': onLoad(
    "const box = document.body.appendChild(document.createElement('p')); const turn = () => { box.textContent = String(Math.random()); requestAnimationFrame(turn); }; turn();",
  ),
  'script/workers': onLoad(
    "const code = URL.createObjectURL(new Blob(['for (;;) {}'])); for (let n = 0; n < 8; n++) new Worker(code);",
  ),
  'script/requests': onLoad("for (let n = 0; n < 5000; n++) fetch('/script/small/' + n);"),
  'script/overwritten': onLoad(
    "Array.prototype.map = Array.prototype.forEach = JSON.stringify = () => { throw new Error('mine'); }; document.querySelector = document.createTreeWalker = null; Object.defineProperty(Node.prototype, 'childNodes', { get() { throw new Error('mine'); } });",
  ),
  'script/throwing': "addEventListener('load', () => { throw new Error('page error'); }); throw 1;",
  'memory/arrays': onLoad(
    `const kept = []; let bytes = 0; const fill = () => { const part = new Array(2e6).fill(0).map((_, n) => n + 0.5); kept.push(part); bytes += 16e6; if (bytes < ${MAX_HOG_BYTES}) setTimeout(fill); }; fill();`,
  ),
  'memory/buffers': onLoad(
    `const kept = []; for (let bytes = 0; bytes < ${MAX_HOG_BYTES}; bytes += 5e7) { try { kept.push(new Uint8Array(5e7).fill(1)); } catch { break; } } globalThis.kept = kept;`,
  ),
  'memory/dom': onLoad(
    "const fill = () => { const part = document.createElement('div'); for (let n = 0; n < 5e4; n++) part.append(document.createElement('i')); document.body.append(part); if (document.body.childElementCount < 100) setTimeout(fill); }; fill();",
  ),
  'memory/canvas': onLoad(
    "globalThis.kept = []; for (let n = 0; n < 20; n++) { const canvas = document.createElement('canvas'); canvas.width = canvas.height = 4096; canvas.getContext('2d').fillRect(0, 0, 4096, 4096); kept.push(canvas); }",
  ),
  // A text node past 2^31 letters ends the renderer at once; no script error comes first.
  'crash/text': onLoad(OVERGROWN_TEXT),
  'crash/early-text': OVERGROWN_TEXT,
};

/** Every address below these folders, for tests that walk them all. */
export const SCRIPT_PATHS: readonly string[] = Object.keys(SCRIPTS).map((name) => `/${name}`);

function serveScripted(visit: RouteVisit): void {
  const [folder = '', name = ''] = visit.groups;
  const script = SCRIPTS[`${folder}/${name}`];
  if (script === undefined) return void visit.response.writeHead(404).end('no such script');
  sendArticle(visit, { topic: `${folder}-${name}`, after: `<script>${script}</script>` });
}
