// The tricks of a hostile page, one page each, and how it shows that the trick was played.
//
// A page is served as https?://site.example/browser/ID. `refused`: texts that the targets refused
// at the proxy must begin with, each at least once. `tried`: the browser itself may stop it before
// the proxy hears of it, so the page says in its title that it has tried. `loaded`: it must come
// through.
import { allCases } from './cases.mjs';

const LOOPBACK = 'http://127.0.0.1';
const METADATA = 'http://169.254.169.254';
const PRIVATE = 'http://10.0.0.5';

const script = (code) => `<script>${code}</script>`;
const tried = (code) => script(`try{${code}}catch(e){console.log(e)};document.title='tried'`);
const worker = (code, options = '{}') =>
  `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(code)}],{type:'text/javascript'})),${options})`;

/** A trick in markup that requests the address. */
const markup = (url, html) => ({ html, refused: [url] });
/** A trick in script that requests the address. */
const code = (url, text) => ({ html: script(text), refused: [url] });

const speculation = (kind, url) =>
  `<script type=speculationrules>${JSON.stringify({ [kind]: [{ source: 'list', urls: [url], eagerness: 'immediate' }] })}</script>`;

const ice = (...urls) => `
  const peer = new RTCPeerConnection({iceServers:[{urls:${JSON.stringify(urls)},username:'u',credential:'c'}]});
  peer.createDataChannel('x');
  peer.createOffer().then((offer) => peer.setLocalDescription(offer));`;

/** Cases of the list, by id. */
const listed = {
  S350: markup(`${LOOPBACK}/`, `<meta http-equiv=refresh content="0;url=${LOOPBACK}/">`),
  S353: {
    headers: { link: `<${LOOPBACK}/x.css>; rel=preload; as=style` },
    refused: [`${LOOPBACK}/x.css`],
  },
  S386: markup(`${LOOPBACK}/`, `<iframe src="${LOOPBACK}/"></iframe>`),
  S388: markup(`${LOOPBACK}/s.js`, `<script src="${LOOPBACK}/s.js"></script>`),
  S389: markup(`${LOOPBACK}/c.css`, `<link rel=stylesheet href="${LOOPBACK}/c.css">`),
  S393: markup(
    `${LOOPBACK}/t.vtt`,
    `<video crossorigin=anonymous src="/browser/none.mp4"><track default kind=subtitles src="${LOOPBACK}/t.vtt"></video>` +
      script(`document.querySelector('track').track.mode='showing'`),
  ),
  S394: {
    html:
      `<object data="${LOOPBACK}/o.pdf" type="application/pdf"></object>` +
      `<object data="${LOOPBACK}/o.html" type="text/html"></object><embed src="${LOOPBACK}/e.html" type="text/html">`,
    // The headless shell has no PDF viewer and requests no PDF.
    refused: [`${LOOPBACK}/e.html`, `${LOOPBACK}/o.html`],
  },
  S395: {
    html: `<svg><use href="${LOOPBACK}/d.svg#a"/><image href="${LOOPBACK}/i.svg"/></svg>`,
    refused: [`${LOOPBACK}/i.svg`],
  },
  S398: code(`${LOOPBACK}/api`, `x=new XMLHttpRequest();x.open('GET','${LOOPBACK}/api');x.send()`),
  S399: code(`${LOOPBACK}/b`, `navigator.sendBeacon('${LOOPBACK}/b','x')`),
  S400: {
    html: `<a id=go ping="${LOOPBACK}/ping" href="#there">x</a>` + tried(`document.title='tried'`),
    click: '#go',
    tried: true, // pings are switched off
  },
  S401: code(`${LOOPBACK}/es`, `new EventSource('${LOOPBACK}/es')`),
  S402: code('127.0.0.1:9222', `new WebSocket('ws://127.0.0.1:9222/')`),
  S403: code('10.0.0.1:443', `new WebSocket('wss://10.0.0.1/')`),
  S404: code('169.254.169.254:80', `new WebSocket('ws://169.254.169.254/')`),
  S410: {
    html: script(
      `${worker(`importScripts('${LOOPBACK}/w.js')`)};` +
        `${worker(`import '${LOOPBACK}/wm.js'`, `{type:'module'}`)};` +
        `${worker(`fetch('${LOOPBACK}/wf')`)}`,
    ),
    refused: [`${LOOPBACK}/w.js`, `${LOOPBACK}/wf`],
  },
  S412: {
    html: `<button id=go onclick="window.open('${LOOPBACK}/pop');document.title='tried'">x</button>`,
    click: '#go',
    tried: true, // the headless shell opens no window at all, others ask the proxy
  },
  S413: {
    html: `<a id=go target=_blank href="${LOOPBACK}/blank" onclick="document.title='tried'">x</a>`,
    click: '#go',
    tried: true,
  },
  S414: markup(
    `${LOOPBACK}/form`,
    `<form method=post action="${LOOPBACK}/form"><input name=a value=b></form>` +
      script(`document.forms[0].submit()`),
  ),
  S415: code(`${LOOPBACK}/nav`, `location='${LOOPBACK}/nav'`),
  S416: markup(
    `${LOOPBACK}/hist`,
    `<iframe srcdoc='<iframe srcdoc="<meta http-equiv=refresh content=0;url=${LOOPBACK}/hist>"></iframe>'></iframe>`,
  ),
  S418: {
    html:
      `<link rel=prefetch href="${LOOPBACK}/pre">` +
      speculation('prefetch', `${LOOPBACK}/pre-rule`) +
      speculation('prerender', `${LOOPBACK}/prerender`),
    refused: [`${LOOPBACK}/pre`],
  },
  S420: {
    html:
      '<link rel=dns-prefetch href="//secret.internal"><link rel=preconnect href="https://secret.internal">' +
      '<meta http-equiv=x-dns-prefetch-control content=on><a href="http://other-secret.internal/">x</a>' +
      tried(''),
    tried: true, // the name server is the judge
  },
  S421: {
    headers: {
      'content-security-policy': `img-src 'none'; report-uri ${LOOPBACK}/csp`,
    },
    html: '<img src="/browser/ok.png">',
    refused: [`${LOOPBACK}/csp`],
  },
  S422: {
    scheme: 'https',
    headers: {
      'reporting-endpoints': `default="https://127.0.0.1/nel", all="https://10.0.0.5/nel"`,
      'report-to': '{"group":"all","max_age":3600,"endpoints":[{"url":"https://127.0.0.1/nel"}]}',
      nel: '{"report_to":"all","max_age":3600,"success_fraction":1.0,"failure_fraction":1.0}',
      'document-policy': 'document-write=?0;report-to=all',
    },
    html: tried(`fetch('/browser/none');document.write('x')`),
    tried: true, // reports wait for a minute; nothing leaves in the time given
  },
  S423: markup(`${LOOPBACK}/redir`, '<img src="/browser/to-private">'),
  S425: {
    html:
      '<iframe src="file:///etc/passwd"></iframe>' +
      tried(
        `fetch('file:///etc/passwd').catch(()=>0);open('file:///etc/passwd');location='file:///etc/passwd'`,
      ),
    tried: true,
  },
  S431: {
    html:
      '<iframe src="/browser/entity.svg"></iframe><object data="/browser/entity.xml" type="application/xml"></object>' +
      `<iframe src="/browser/sheet.xml"></iframe>` +
      tried(''),
    tried: true, // no entity of elsewhere is ever loaded
  },
  S432: code('http://wpad/wpad.dat', `fetch('http://wpad/wpad.dat')`),
  S435: code('http://localhost/', `fetch('http://localhost/')`),
  S436: {
    html: `<img src="http://site.example/ok.png" onload="document.title='loaded'">`,
    loaded: true,
  },
};

/** Tricks that the list lacks. */
const own = {
  B01: code(`${LOOPBACK}/f`, `fetch('${LOOPBACK}/f',{mode:'no-cors'})`),
  B02: code(
    `${LOOPBACK}/p`,
    `fetch('${LOOPBACK}/p',{method:'POST',body:'x',mode:'no-cors',keepalive:true})`,
  ),
  B03: code(`${LOOPBACK}/pf`, `fetch('${LOOPBACK}/pf',{method:'PUT',headers:{'x-a':'b'}})`),
  B04: {
    scheme: 'https',
    html: tried(`fetch('${LOOPBACK}/lna',{targetAddressSpace:'loopback'})`),
    tried: true,
  },
  B05: markup(`${LOOPBACK}/i.png`, `<img src="${LOOPBACK}/i.png">`),
  B06: markup(`${LOOPBACK}/s.png`, `<img srcset="${LOOPBACK}/s.png 1x">`),
  B07: markup(`${LOOPBACK}/v.mp4`, `<video src="${LOOPBACK}/v.mp4" preload=auto></video>`),
  B08: markup(`${LOOPBACK}/a.mp3`, `<audio src="${LOOPBACK}/a.mp3" preload=auto></audio>`),
  B09: markup(`${LOOPBACK}/bg.png`, `<p style="background:url(${LOOPBACK}/bg.png)">x</p>`),
  B10: markup(`${LOOPBACK}/im.css`, `<style>@import url(${LOOPBACK}/im.css);</style>`),
  B11: markup(
    `${LOOPBACK}/f.woff2`,
    `<style>@font-face{font-family:f;src:url(${LOOPBACK}/f.woff2)}p{font-family:f}</style><p>text</p>`,
  ),
  B12: markup(`${LOOPBACK}/m.js`, `<script type=module>import '${LOOPBACK}/m.js'</script>`),
  B13: code(`${LOOPBACK}/d.js`, `import('${LOOPBACK}/d.js')`),
  B14: markup(`${LOOPBACK}/mp.js`, `<link rel=modulepreload href="${LOOPBACK}/mp.js">`),
  B15: markup(`${LOOPBACK}/pl.png`, `<link rel=preload as=image href="${LOOPBACK}/pl.png">`),
  B16: markup(`${LOOPBACK}/in.png`, `<input type=image src="${LOOPBACK}/in.png">`),
  B17: markup(
    `${METADATA}/d`,
    `<iframe src="data:text/html,<iframe src=${METADATA}/d></iframe>"></iframe>`,
  ),
  B18: markup('http://[::1]/', '<iframe src="http://[::1]/"></iframe>'),
  B19: markup('http://[fd00:ec2::254]/', '<iframe src="http://[fd00:ec2::254]/"></iframe>'),
  // The browser writes addresses its own way before it asks.
  B20: markup('http://[::ffff:7f00:1]/', '<iframe src="http://[::ffff:127.0.0.1]/"></iframe>'),
  B21: markup(`${LOOPBACK}/dec`, '<img src="http://2130706433/dec"><img src="http://0177.1/dec">'),
  B22: markup(`${PRIVATE}/x`, `<img src="${PRIVATE}/x">`),
  B23: markup('127.0.0.1:443', '<iframe src="https://127.0.0.1/"></iframe>'),
  B24: markup('127.0.0.1:8080', '<img src="https://127.0.0.1:8080/">'),
  B25: markup(`${METADATA}/latest`, `<base href="${METADATA}/"><img src="latest">`),
  B26: code('127.0.0.1:80', `new WebSocket('ws://127.0.0.1/')`),
  B27: {
    html: tried(ice('stun:10.0.0.5:3478', 'stun:127.0.0.1:3478', 'stun:93.184.216.34:3478')),
    tried: true,
  },
  B28: {
    html: tried(
      ice('turn:10.0.0.5:3478?transport=tcp', 'turns:169.254.169.254:443', 'stun:secret.internal'),
    ),
    tried: true,
  },
  B29: {
    scheme: 'https',
    html: tried(`new WebTransport('https://10.0.0.5:443/');new WebTransport('https://127.0.0.1/')`),
    tried: true,
  },
  B30: {
    scheme: 'https',
    html: script(
      `navigator.serviceWorker.register('/browser/worker.js').then(()=>0,()=>0).finally(()=>document.title='tried')`,
    ),
    tried: true, // switched off in every context
  },
  B31: {
    scheme: 'https',
    headers: { 'alt-svc': 'h3="127.0.0.1:443", h2="10.0.0.5:443"; ma=3600' },
    html: tried(`fetch('/browser/none').then(()=>fetch('/browser/none2'))`),
    tried: true,
  },
  B32: { html: '<script src="/browser/to-metadata"></script>', refused: [`${METADATA}/redir`] },
  B33: { html: '<iframe src="/browser/to-file"></iframe>' + tried(''), tried: true },
  B34: { html: '<iframe src="/browser/styled.xml"></iframe>' + tried(''), tried: true },
  B35: code(`${LOOPBACK}/sw.js`, `try{new SharedWorker('/browser/shared.js')}catch(e){}`),
  B36: code(
    `${LOOPBACK}/bye`,
    `addEventListener('pagehide',()=>navigator.sendBeacon('${LOOPBACK}/bye'));location='/browser/none'`,
  ),
  B37: markup(
    `${LOOPBACK}/set`,
    `<svg><feImage href="${LOOPBACK}/fe"/><image href="${LOOPBACK}/set"/></svg>`,
  ),
  B38: {
    html: `<a id=go download href="${LOOPBACK}/file">x</a>`,
    click: '#go',
    refused: [`${LOOPBACK}/file`],
  },
  B39: markup(`${LOOPBACK}/body.png`, `<body background="${LOOPBACK}/body.png">`),
  B41: {
    scheme: 'https',
    headers: {
      'content-security-policy': `img-src 'none'; report-to all`,
      'reporting-endpoints': 'all="https://127.0.0.1/csp2"',
    },
    html: '<img src="/browser/ok.png">' + tried(''),
    tried: true,
  },
  B40: code(`${LOOPBACK}/es2`, `new EventSource('/browser/to-es')`),
};

const pagesOf = (cases) =>
  Object.fromEntries(
    Object.entries(cases).map(([id, { headers = {}, html = '' }]) => [
      `/browser/${id}`,
      { headers, html },
    ]),
  );

const file = (type, text, headers = {}) => ({
  text,
  headers: { 'content-type': type, ...headers },
});
const redirectTo = (location) => ({ status: 302, headers: { location } });
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const entity = (root) =>
  `<!DOCTYPE ${root} [<!ENTITY x SYSTEM "${LOOPBACK}/xxe"><!ENTITY % p SYSTEM "${LOOPBACK}/xxe2">%p;]>`;

/** Path → answer of the fixture site; see fixture.mjs. */
export const browserPages = {
  ...pagesOf(listed),
  ...pagesOf(own),
  '/ok.png': file('image/gif', PIXEL),
  '/browser/ok.png': file('image/gif', PIXEL),
  '/browser/to-private': redirectTo(`${LOOPBACK}/redir`),
  '/browser/to-metadata': redirectTo(`${METADATA}/redir`),
  '/browser/to-file': redirectTo('file:///etc/passwd'),
  '/browser/to-es': redirectTo(`${LOOPBACK}/es2`),
  '/browser/entity.svg': file(
    'image/svg+xml',
    `${entity('svg')}<svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>`,
  ),
  '/browser/entity.xml': file('application/xml', `${entity('a')}<a>&x;</a>`),
  '/browser/sheet.xml': file('application/xml', `<!DOCTYPE a SYSTEM "${LOOPBACK}/dtd"><a/>`),
  '/browser/styled.xml': file(
    'application/xml',
    `<?xml-stylesheet type="text/xsl" href="${LOOPBACK}/x.xsl"?><a/>`,
  ),
  '/browser/worker.js': file('text/javascript', `importScripts('${LOOPBACK}/w2.js')`),
  '/browser/shared.js': file('text/javascript', `importScripts('${LOOPBACK}/sw.js')`),
};

const schemes = allCases.filter(({ group }) => group === 'schemes');
const withTrick = (id, trick) => ({ id, path: `/browser/${id}`, ...trick });

/** Cases of the list that a browser covers, each with its trick. */
export const listedBrowserCases = allCases
  .filter(({ id }) => id in listed)
  .map((one) => ({ ...one, ...withTrick(one.id, listed[one.id]) }));

/** Redirects of the list, followed by a browser; the last hop must be refused. */
export const browserRedirects = allCases
  .filter(({ surface }) => surface === 'redirect')
  .map((one) => ({ ...one, path: `/redirect/${one.id}` }));

/** Schemes of the list, as a page may try to go there: by frame, pop-up and its own location. */
export const browserSchemes = schemes;

/** Ways in that the list does not name. */
export const ownBrowserCases = Object.entries(own).map(([id, trick]) => withTrick(id, trick));

/** All cases that the browser's probe covers. */
export const coveredByBrowser = [
  ...listedBrowserCases,
  ...browserRedirects,
  ...browserSchemes,
  ...ownBrowserCases,
];
