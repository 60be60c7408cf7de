import { articleHtml, sendArticle, sendScript } from './article.js';
import { sendJson } from './send-json.js';
import { numberIn, type Route, type RouteVisit, sendHtml } from './route.js';
import { sendText, waitUnlessClosed } from './site-server.js';

/** Applications: pages whose content comes, or should come, by script. All below `/shell/`. */
export const SHELL_ROUTES: readonly Route[] = [
  { path: /^\/shell\/(react|vue|angular|next|module)$/, serve: serveFramework },
  { path: /^\/shell\/late$/, serve: serveLate },
  { path: /^\/shell\/timer$/, serve: serveTimer },
  { path: /^\/shell\/click$/, serve: serveClick },
  { path: /^\/shell\/scroll$/, serve: serveScroll },
  { path: /^\/shell\/hash$/, serve: serveHash },
  { path: /^\/shell\/(broken|throws|never)$/, serve: serveUnfilled },
  { path: /^\/shell\/noscript$/, serve: serveNoscript },
  { path: /^\/shell\/hydrated$/, serve: serveHydrated },
  { path: /^\/shell\/document-write$/, serve: serveDocumentWrite },
  { path: /^\/shell\/script-redirect$/, serve: serveScriptRedirect },
  { path: /^\/shell\/meta-refresh$/, serve: serveMetaRefresh },
  { path: /^\/shell\/target\/([\w-]+)$/, serve: (visit) => sendArticle(visit, topicOf(visit)) },
  { path: /^\/shell\/api\/([\w-]+?)(?:\/(\d+))?$/, serve: serveApi },
  { path: /^\/shell\/fill-(\w+)\.js$/, serve: serveFillScript },
];

const topicOf = ({ groups }: RouteVisit) => ({ topic: groups[0] ?? '' });

/** Where each framework mounts. */
const MOUNTS: Readonly<Record<string, string>> = {
  react: '<div id="root"></div>',
  vue: '<div id="app"><!-- v-if --></div>',
  angular: '<app-root></app-root>',
  next: '<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{"page":"/","buildId":"x"}</script>',
  module: '<div id="root"></div>',
};

const SELECTORS: Readonly<Record<string, string>> = {
  react: '#root',
  vue: '#app',
  angular: 'app-root',
  next: '#__next',
  module: '#root',
};

/** As build tools write it: an empty mount, the sentence for readers without scripts, one bundle. */
function serveFramework({ response, groups }: RouteVisit): void {
  const [name = ''] = groups;
  const type = name === 'module' ? ' type="module"' : ' defer';
  sendShell(response, `${MOUNTS[name]}<script${type} src="/shell/fill-${name}.js"></script>`);
}

function sendShell(response: RouteVisit['response'], body: string): void {
  sendHtml(
    response,
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>App</title></head><body><noscript>You need to enable JavaScript to run this app.</noscript>${body}</body></html>`,
  );
}

function serveFillScript(visit: RouteVisit): void {
  const [name = ''] = visit.groups;
  const selector = SELECTORS[name];
  if (selector === undefined) return sendText(visit.response, 404, 'no such bundle');
  sendScript(visit, fillScript(selector, `/shell/api/${name}`));
}

/** Fetches `{html}` and puts it where `selector` says. */
function fillScript(selector: string, api: string): string {
  return `fetch(${JSON.stringify(api)}).then((answer) => answer.json()).then(({ html }) => {
  document.querySelector(${JSON.stringify(selector)}).innerHTML = '<main><h1>Rendered</h1>' + html + '</main>';
});`;
}

/** `/shell/api/<topic>` at once, `/shell/api/<topic>/<ms>` after so long. */
async function serveApi(visit: RouteVisit): Promise<void> {
  await waitUnlessClosed(visit.response, numberIn(visit, 1, 60_000));
  sendJson(visit.response, 200, { html: articleHtml(`shell-${visit.groups[0]}`) });
}

/** The answer its content is made of takes 1.5 s. */
function serveLate({ response }: RouteVisit): void {
  const script = fillScript('#root', '/shell/api/late/1500');
  sendShell(response, `<div id="root"></div><script>${script}</script>`);
}

/** Nothing on the network says that something is still to come: only `waitFor` helps. */
function serveTimer({ response }: RouteVisit): void {
  const html = JSON.stringify(articleHtml('shell-timer'));
  const script = `setTimeout(() => { document.getElementById('root').innerHTML = ${html}; }, 1500);`;
  sendShell(response, `<div id="root"></div><script>${script}</script>`);
}

function serveClick(visit: RouteVisit): void {
  const fill = fillScript('#more', '/shell/api/click');
  const after = `<button id="open" type="button">Read on</button><div id="more"></div>
<script>document.getElementById('open').addEventListener('click', () => { ${fill} });</script>`;
  sendArticle(visit, { topic: 'shell-before-click', after });
}

const SCROLL_PARTS = 5;

/** Each part comes when the end of the page is near the screen; `scroll-part-5` is the last. */
function serveScroll(visit: RouteVisit): void {
  const after = `<div id="parts"></div><div id="end" style="height:10px"></div><script>
let part = 0;
const seen = new IntersectionObserver((entries) => {
  if (!entries.some((entry) => entry.isIntersecting) || part >= ${SCROLL_PARTS}) return;
  const block = document.createElement('p');
  block.style.height = '1500px';
  block.textContent = 'This is scroll-part-' + ++part + ' of the page.';
  document.getElementById('parts').append(block);
  seen.unobserve(document.getElementById('end'));
  seen.observe(document.getElementById('end'));
});
addEventListener('load', () => seen.observe(document.getElementById('end')));
</script>`;
  sendArticle(visit, { topic: 'shell-scroll', before: '<div style="height:2000px"></div>', after });
}

/** What follows the hash never reaches a server; the script alone reads it. */
function serveHash({ response }: RouteVisit): void {
  const script = `const show = () => {
  const name = location.hash.slice(2) || 'home';
  document.getElementById('app').innerHTML = '<h1>Route ' + name + '</h1>' + ${JSON.stringify(articleHtml('shell-hash'))};
};
addEventListener('hashchange', show); show();`;
  sendShell(response, `<div id="app"></div><script>${script}</script>`);
}

const UNFILLED: Readonly<Record<string, string>> = {
  broken: '<div id="root"></div><script src="/shell/fill-nothing.js"></script>',
  throws:
    '<div id="root"></div><script>window.app = undefined.start(document.getElementById("root"));</script>',
  never:
    '<div id="root"><div class="spinner">Loading...</div></div><script>setInterval(() => document.querySelector(".spinner").classList.toggle("on"), 200);</script>',
};

function serveUnfilled({ response, groups }: RouteVisit): void {
  sendShell(response, UNFILLED[groups[0] ?? ''] ?? '');
}

/** Its only words are for readers without scripts, and it has no script. */
function serveNoscript({ response }: RouteVisit): void {
  sendHtml(
    response,
    `<!doctype html><html><head><title>Noscript</title></head><body><noscript><main>${articleHtml('shell-noscript')}</main></noscript></body></html>`,
  );
}

/** Looks like an application in every way but one: its content is there. */
function serveHydrated(visit: RouteVisit): void {
  const { response } = visit;
  const state = JSON.stringify({ items: Array.from({ length: 200 }, (_, id) => ({ id })) });
  const scripts = Array.from(
    { length: 12 },
    (_, n) => `<script defer src="/shell/c${n}.js"></script>`,
  );
  sendHtml(
    response,
    `<!doctype html><html><head><title>Hydrated</title>${scripts.join('')}</head><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="__next" data-reactroot="">${articleHtml('shell-hydrated')}</div><script id="__NEXT_DATA__" type="application/json">${state}</script></body></html>`,
  );
}

function serveDocumentWrite({ response }: RouteVisit): void {
  const html = JSON.stringify(articleHtml('shell-document-write'));
  sendHtml(
    response,
    `<!doctype html><html><head><title>Written</title></head><body><script>document.write(${html});</script></body></html>`,
  );
}

function serveScriptRedirect({ response }: RouteVisit): void {
  sendHtml(
    response,
    '<!doctype html><html><head><title>Redirecting</title></head><body><p>Redirecting...</p><script>location.replace("/shell/target/script-redirect");</script></body></html>',
  );
}

function serveMetaRefresh({ response }: RouteVisit): void {
  sendHtml(
    response,
    '<!doctype html><html><head><title>Moved</title><meta http-equiv="refresh" content="0; url=/shell/target/meta-refresh"></head><body></body></html>',
  );
}
