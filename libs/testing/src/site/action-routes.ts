import { sendArticle } from './article.js';
import { type Route, type RouteVisit } from './route.js';

/** Pages that answer to what a visitor does, and one that counts what is loaded. */
export const ACTION_ROUTES: readonly Route[] = [
  { path: /^\/actions$/, serve: serveTargets },
  { path: /^\/actions\/next$/, serve: (visit) => sendArticle(visit, { topic: 'actions-next' }) },
  { path: /^\/media$/, serve: serveMedia },
  { path: /^\/media\/style\.css$/, serve: serveStyle },
  { path: /^\/media\/(image|font|video|audio)-(\d+)(?:\.\w+)?$/, serve: serveMediaFile },
];

/** A button, fields, a key handler, a list that grows by scrolling, a link, and things out of reach. */
function serveTargets(visit: RouteVisit): void {
  const after = `<button id="add" type="button">Add</button>
<form id="form"><input id="name" name="name"><select id="size"><option>small</option><option>large</option></select><button>Send</button></form>
<textarea id="note"></textarea><p id="log"></p>
<p><a id="next" href="/actions/next">next page</a></p>
<button id="hidden" style="display:none">Hidden</button><button id="disabled" disabled>Disabled</button>
<button id="later-button" type="button">Later</button><div id="rows" style="height:200px;overflow:auto"></div>
<script>
const log = (text) => document.getElementById('log').insertAdjacentHTML('beforeend', '<span>' + text + '; </span>');
const on = (id, type, act) => document.getElementById(id).addEventListener(type, act);
on('add', 'click', () => log('button-was-clicked'));
on('name', 'input', (event) => log('typed-' + event.target.value));
on('size', 'change', (event) => log('chose-' + event.target.value));
on('form', 'submit', (event) => { event.preventDefault(); log('sent-' + document.getElementById('name').value); });
document.addEventListener('keydown', (event) => log('pressed-' + event.key));
on('later-button', 'click', () => setTimeout(() => {
  const late = document.createElement('p'); late.id = 'late'; late.textContent = 'came-late'; document.body.append(late);
}, 600));
const rows = document.getElementById('rows'); let row = 0;
const addRows = () => { for (let n = 0; n < 10; n++) { const line = document.createElement('p'); line.textContent = 'row-' + ++row + '-end'; rows.append(line); } };
addRows(); rows.addEventListener('scroll', () => { if (row < 100) addRows(); });
addEventListener('scroll', () => log('scrolled'), { once: true });
</script><div style="height:3000px"></div>`;
  sendArticle(visit, { topic: 'actions', after });
}

/** Files of each kind on `/media`. */
export const MEDIA_FILES = { image: 20, font: 4, video: 2, audio: 2 } as const;

function addresses(kind: keyof typeof MEDIA_FILES, ending: string): readonly string[] {
  return Array.from({ length: MEDIA_FILES[kind] }, (_, n) => `/media/${kind}-${n}.${ending}`);
}

/** Every media address of the page, to read from the site how often each was fetched. */
export const MEDIA_PATHS: readonly string[] = [
  ...addresses('image', 'png'),
  ...addresses('font', 'woff2'),
  ...addresses('video', 'mp4'),
  ...addresses('audio', 'mp3'),
];

function serveMedia(visit: RouteVisit): void {
  const fonts = addresses('font', 'woff2').map(
    (_, n) => `<p style="font-family:f${n}">font ${n}</p>`,
  );
  const images = addresses('image', 'png').map(
    (src) => `<img src="${src}" width="40" height="40" alt="picture">`,
  );
  const videos = addresses('video', 'mp4').map(
    (src) => `<video src="${src}" autoplay muted preload="auto"></video>`,
  );
  const audios = addresses('audio', 'mp3').map(
    (src) => `<audio src="${src}" autoplay preload="auto"></audio>`,
  );
  const after = [...fonts, ...images, ...videos, ...audios].join('\n');
  const head = '<link rel="stylesheet" href="/media/style.css">';
  sendArticle(visit, { topic: 'media', head, after });
}

function serveStyle({ response }: RouteVisit): void {
  const faces = addresses('font', 'woff2').map(
    (src, n) => `@font-face { font-family: f${n}; src: url(${src}); }`,
  );
  response.writeHead(200, { 'content-type': 'text/css' }).end(faces.join('\n'));
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  image: 'image/png',
  font: 'font/woff2',
  video: 'video/mp4',
  audio: 'audio/mpeg',
};

/** A real picture; the other kinds only count that they were requested. */
function serveMediaFile({ response, groups }: RouteVisit): void {
  const [kind = 'image'] = groups;
  response.writeHead(200, { 'content-type': MEDIA_TYPES[kind] ?? 'image/png' });
  response.end(kind === 'image' ? PIXEL : Buffer.alloc(1_000));
}
