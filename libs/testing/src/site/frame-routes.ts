import { articleHtml, articleMarker, sendArticle } from './article.js';
import { htmlPage, numberIn, type Route, type RouteVisit, sendHtml } from './route.js';

/** Content in frames, shadow trees and behind overlays. All below `/frames/`. */
export const FRAME_ROUTES: readonly Route[] = [
  { path: /^\/frames\/srcdoc$/, serve: serveSrcdoc },
  { path: /^\/frames\/nested(?:\/(\d))?$/, serve: serveNested },
  { path: /^\/frames\/cross-origin$/, serve: serveCrossOrigin },
  { path: /^\/frames\/hung$/, serve: serveHung },
  { path: /^\/frames\/many$/, serve: serveMany },
  { path: /^\/frames\/self$/, serve: serveSelf },
  { path: /^\/frames\/shadow$/, serve: serveShadow },
  { path: /^\/frames\/shadow-closed$/, serve: serveClosedShadow },
  { path: /^\/frames\/shadow-declared$/, serve: serveDeclaredShadow },
  { path: /^\/frames\/thirteen$/, serve: serveThirteen },
  { path: /^\/frames\/overlay$/, serve: serveOverlay },
  { path: /^\/frames\/leaf\/([\w-]+)$/, serve: (visit) => sendArticle(visit, leafOf(visit)) },
];

const leafOf = ({ groups }: RouteVisit) => ({ topic: `leaf-${groups[0]}` });

function serveSrcdoc(visit: RouteVisit): void {
  const inner = articleHtml('frames-srcdoc-inner').replaceAll('"', '&quot;');
  const after = `<iframe srcdoc="<html><body>${inner}</body></html>"></iframe>`;
  sendArticle(visit, { topic: 'frames-srcdoc', after });
}

const NESTED_DEPTH = 3;

/** A frame in a frame in a frame, all of this site. */
function serveNested(visit: RouteVisit): void {
  const level = numberIn(visit, 0);
  const after =
    level < NESTED_DEPTH ? `<iframe src="/frames/nested/${level + 1}"></iframe>` : undefined;
  sendArticle(visit, { topic: `frames-nested-${level}`, after });
}

/** The frame comes from `shape.otherOrigin`. */
function serveCrossOrigin(visit: RouteVisit): void {
  const after = `<iframe src="${visit.shape.otherOrigin}/frames/leaf/foreign"></iframe>`;
  sendArticle(visit, { topic: 'frames-cross-origin', after });
}

function serveHung(visit: RouteVisit): void {
  sendArticle(visit, { topic: 'frames-hung', after: '<iframe src="/hang"></iframe>' });
}

function serveMany(visit: RouteVisit): void {
  const frames = Array.from(
    { length: 200 },
    (_, n) => `<iframe srcdoc="<p>frame ${n}</p>"></iframe>`,
  );
  sendArticle(visit, { topic: 'frames-many', after: frames.join('\n') });
}

/** Shows itself twice: browsers stop the same address, not the growing query. */
function serveSelf(visit: RouteVisit): void {
  const depth = Number(visit.url.searchParams.get('depth') ?? 0);
  const frame = `<iframe src="/frames/self?depth=${depth + 1}"></iframe>`;
  // Bounded here too, so that a browser without a bound of its own cannot run for ever.
  sendArticle(visit, { topic: 'frames-self', after: depth < 6 ? frame.repeat(2) : '' });
}

/** An open root with a slot, and another open root inside. */
function serveShadow(visit: RouteVisit): void {
  const after = `<x-card><p slot="body">slotted-in-the-card</p></x-card><script>
class Inner extends HTMLElement { connectedCallback() {
  this.attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(articleHtml('frames-shadow-inner'))};
} }
class Card extends HTMLElement { connectedCallback() {
  this.attachShadow({ mode: 'open' }).innerHTML = '<section><h2>Card of the outer root</h2><slot name="body"></slot><x-inner></x-inner></section>';
} }
customElements.define('x-inner', Inner); customElements.define('x-card', Card);
</script>`;
  sendArticle(visit, { topic: 'frames-shadow', after });
}

/** No outside script may read a closed root; the page around it is complete without. */
function serveClosedShadow(visit: RouteVisit): void {
  const after = `<div id="host"></div><script>
document.getElementById('host').attachShadow({ mode: 'closed' }).innerHTML = '<p>${articleMarker('frames-closed-inner')}</p>';
</script>`;
  sendArticle(visit, { topic: 'frames-shadow-closed', after });
}

function serveDeclaredShadow(visit: RouteVisit): void {
  const after = `<div><template shadowrootmode="open">${articleHtml('frames-declared-inner')}<slot></slot></template><p>light-child-of-the-host</p></div>`;
  sendArticle(visit, { topic: 'frames-shadow-declared', after });
}

/** Places a text may hide in; `target-1-end` to `target-13-end`, each in another. */
export const HIDING_PLACES = 13;

function serveThirteen({ response }: RouteVisit): void {
  const at = (n: number): string => `<p>Here is target-${n}-end of thirteen.</p>`;
  const text = (n: number): string => JSON.stringify(at(n));
  const body = `${articleHtml('frames-thirteen')}${at(1)}
<iframe srcdoc="${at(2)}"></iframe>
<iframe srcdoc="<iframe srcdoc='${at(3)}'></iframe>"></iframe>
<div id="d4"></div><div id="d5"></div><div id="d6"><p slot="named">Here is target-6-end of thirteen.</p></div>
<div id="d7"><p>Here is target-7-end of thirteen.</p></div><div id="d8"></div><div id="d9"></div>
<iframe id="d10"></iframe><details><summary>More</summary>${at(11)}</details><div id="d12"></div><div id="d13"></div>
<script>
const host = (id) => document.getElementById(id);
const root = (id, html) => { const shadow = host(id).attachShadow({ mode: 'open' }); shadow.innerHTML = html; return shadow; };
root('d4', ${text(4)});
root('d5', '<div></div>').firstChild.attachShadow({ mode: 'open' }).innerHTML = ${text(5)};
root('d6', '<slot name="named"></slot>');
root('d7', '<section><slot></slot></section>');
root('d8', '<slot>Here is target-8-end of thirteen.</slot>');
root('d9', '<iframe></iframe>').firstChild.srcdoc = ${text(9)};
host('d10').contentDocument.body.innerHTML = ${text(10)};
host('d12').append(Object.assign(document.createElement('p'), { textContent: 'Here is target-12-end of thirteen.' }));
setTimeout(() => { host('d13').innerHTML = ${text(13)}; }, 100);
</script>`;
  sendHtml(response, htmlPage({ title: 'Thirteen places', body }));
}

/** Consent banner and newsletter box over everything, scrolling locked, as sites have it. */
function serveOverlay(visit: RouteVisit): void {
  const before = `<div id="onetrust-consent-sdk" class="cookie-banner" role="dialog" aria-modal="true" aria-label="Cookie consent" style="position:fixed;inset:0;z-index:2147483647;background:#fff"><h2>We value your privacy</h2><p>We and our 842 partners store and access information on a device, such as cookies.</p><button id="accept">Accept all</button><button>Reject all</button></div>
<div class="newsletter-modal" role="dialog" aria-modal="true" style="position:fixed;top:20%;left:20%;width:60%;height:60%;z-index:99999;background:#eee"><h2>Join our newsletter</h2><p>Ten percent off your first order.</p></div>`;
  const head = '<style>html,body{overflow:hidden}</style>';
  sendArticle(visit, { topic: 'frames-overlay', before, head });
}
