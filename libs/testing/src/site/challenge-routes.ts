import { articleHtml, sendArticle } from './article.js';
import { type Route, type RouteVisit, sendHtml } from './route.js';
import { sendText } from './site-server.js';

/** Bot walls, and pages that only look like one. All below `/wall/`. */
export const CHALLENGE_ROUTES: readonly Route[] = [
  { path: /^\/wall\/cloudflare-403$/, serve: serveManagedChallenge },
  { path: /^\/wall\/cloudflare-503$/, serve: serveFormChallenge },
  { path: /^\/wall\/cloudflare-503-answer$/, serve: takeFormAnswer },
  { path: /^\/wall\/cloudflare-never$/, serve: serveEndlessChallenge },
  { path: /^\/wall\/captcha$/, serve: serveCaptcha },
  { path: /^\/wall\/(datadome|perimeterx|akamai|incapsula)$/, serve: serveVendorWall },
  { path: /^\/_Incapsula_Resource$/, serve: serveIncapsulaFrame },
  { path: /^\/wall\/user-agent$/, serve: serveUserAgentWall },
  { path: /^\/wall\/webdriver$/, serve: serveWebdriverWall },
  { path: /^\/wall\/429-date$/, serve: serveRetryAfterDate },
  { path: /^\/wall\/maintenance$/, serve: serveMaintenance },
  { path: /^\/wall\/login$/, serve: serveLogin },
  { path: /^\/wall\/form-with-captcha$/, serve: serveFormWithCaptcha },
  { path: /^\/wall\/article-on-captchas$/, serve: serveArticleOnCaptchas },
];

const CLOUDFLARE = {
  'content-type': 'text/html; charset=utf-8',
  server: 'cloudflare',
  'cf-ray': '8f0000000000abcd-PRG',
};
/** How long a challenge "works" before it lets a browser through. */
const CHALLENGE_MS = 300;

function hasCookie({ request }: RouteVisit, pair: string): boolean {
  return request.headers.cookie?.split('; ').includes(pair) ?? false;
}

function challengePage(script: string): string {
  return `<!doctype html><html lang="en-US"><head><title>Just a moment...</title><meta name="robots" content="noindex,nofollow"></head><body class="no-js"><div class="main-wrapper" role="main"><div class="main-content"><noscript><div class="h2"><span id="challenge-error-text">Enable JavaScript and cookies to continue</span></div></noscript></div></div><script>window._cf_chl_opt={cvId:'3',cType:'managed'};${script}</script></body></html>`;
}

/** Passes clients that run its script: a cookie, then the same address again. */
function serveManagedChallenge(visit: RouteVisit): void {
  if (hasCookie(visit, 'cf_clearance=passed')) {
    return sendArticle(visit, { topic: 'wall-cloudflare-403' });
  }
  const script = `setTimeout(() => { document.cookie = 'cf_clearance=passed; path=/'; location.reload(); }, ${CHALLENGE_MS});`;
  visit.response.writeHead(403, { ...CLOUDFLARE, 'cf-mitigated': 'challenge' });
  visit.response.end(challengePage(script));
}

/** The older kind: a sum, sent as a form, answered by a cookie and a redirect. */
function serveFormChallenge(visit: RouteVisit): void {
  if (hasCookie(visit, 'cf_clearance=sum')) {
    return sendArticle(visit, { topic: 'wall-cloudflare-503' });
  }
  visit.response
    .writeHead(503, CLOUDFLARE)
    .end(
      `<!doctype html><html><head><title>Please Wait... | Cloudflare</title></head><body><h1>Checking your browser before accessing this site.</h1><p>This process is automatic. Your browser will redirect to your requested content shortly.</p><p>DDoS protection by Cloudflare</p><form id="challenge-form" action="/wall/cloudflare-503-answer" method="get"><input type="hidden" name="jschl_vc" value="x"><input type="hidden" id="jschl-answer" name="jschl_answer"></form><script>setTimeout(() => { document.getElementById('jschl-answer').value = String(6 * 7); document.getElementById('challenge-form').submit(); }, ${CHALLENGE_MS});</script></body></html>`,
    );
}

function takeFormAnswer({ response, url }: RouteVisit): void {
  if (url.searchParams.get('jschl_answer') !== '42') return sendText(response, 403, 'wrong sum');
  const headers = { location: '/wall/cloudflare-503', 'set-cookie': 'cf_clearance=sum; Path=/' };
  response.writeHead(302, headers).end();
}

function serveEndlessChallenge({ response }: RouteVisit): void {
  const script =
    'setInterval(() => { document.body.dataset.tries = String(Math.random()); }, 250);';
  response.writeHead(403, { ...CLOUDFLARE, 'cf-mitigated': 'challenge' });
  response.end(challengePage(script));
}

/** A wall that answers 200. */
function serveCaptcha({ response }: RouteVisit): void {
  sendHtml(
    response,
    '<!doctype html><html><head><title>Are you a robot?</title></head><body><h1>Please verify you are a human</h1><p>We have detected unusual traffic from your network. Complete the captcha below to continue.</p><form action="/captcha" method="post"><div class="g-recaptcha" data-sitekey="x"></div></form><script src="/recaptcha/api.js"></script></body></html>',
  );
}

interface VendorWall {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
}

const VENDOR_WALLS: Readonly<Record<string, VendorWall>> = {
  datadome: {
    status: 403,
    headers: { server: 'DataDome', 'x-datadome': 'protected', 'x-dd-b': '1' },
    html: '<html><head><title>example.invalid</title><style>#cmsg{animation:A 1.5s}</style></head><body style="margin:0"><p id="cmsg">Please enable JS and disable any ad blocker</p><script data-cfasync="false">var dd={"rt":"c","cid":"x","hsh":"y","t":"bv","host":"geo.captcha-delivery.com"}</script><script src="/captcha-delivery/c.js"></script></body></html>',
  },
  perimeterx: {
    status: 403,
    headers: {},
    html: '<!doctype html><html><head><title>Access to this page has been denied.</title></head><body><h1>Press &amp; Hold to confirm you are a human (and not a bot).</h1><div id="px-captcha"></div><script>window._pxAppId="PX0";</script></body></html>',
  },
  akamai: {
    status: 403,
    headers: { server: 'AkamaiGHost' },
    html: "<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY><H1>Access Denied</H1>You don't have permission to access this page on this server.<P>Reference #18.abcd1234.1700000000.1a2b3c4d</BODY></HTML>",
  },
  incapsula: {
    status: 200,
    headers: { 'x-iinfo': '1-2-3', 'x-cdn': 'Imperva' },
    html: '<html style="height:100%"><head><meta name="ROBOTS" content="NOINDEX, NOFOLLOW"></head><body style="margin:0;height:100%"><iframe id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=9&incident_id=1" width="100%" height="100%">Request unsuccessful. Incapsula incident ID: 1-2</iframe></body></html>',
  },
};

function serveVendorWall({ response, groups }: RouteVisit): void {
  const wall = VENDOR_WALLS[groups[0] ?? ''];
  if (wall === undefined) return sendText(response, 404, 'no such wall');
  response.writeHead(wall.status, { 'content-type': 'text/html', ...wall.headers }).end(wall.html);
}

/** What fills the frame of the `incapsula` wall. */
function serveIncapsulaFrame({ response }: RouteVisit): void {
  sendHtml(
    response,
    '<html><head><title>Pardon Our Interruption</title></head><body><p>Request unsuccessful. Incapsula incident ID: 1-2</p><div class="h-captcha" data-sitekey="x"></div></body></html>',
  );
}

const BROWSER_AGENT = /^Mozilla\/5\.0 .*Chrome\/\d/;
const ROBOT_AGENT = /bot|headless|crawl/i;

/** Judges by the User-Agent alone; the wall is a bare 403. */
function serveUserAgentWall(visit: RouteVisit): void {
  const agent = visit.request.headers['user-agent'] ?? '';
  if (BROWSER_AGENT.test(agent) && !ROBOT_AGENT.test(agent)) {
    return sendArticle(visit, { topic: 'wall-user-agent' });
  }
  sendHtml(
    visit.response,
    '<html><head><title>403 Forbidden</title></head><body><h1>403 Forbidden</h1></body></html>',
    403,
  );
}

/** Judges in the browser: an automated one gets no cookie and stays before the wall. */
function serveWebdriverWall(visit: RouteVisit): void {
  const agent = visit.request.headers['user-agent'] ?? '';
  if (hasCookie(visit, 'human=yes') && !ROBOT_AGENT.test(agent)) {
    return sendArticle(visit, { topic: 'wall-webdriver' });
  }
  const script = `setTimeout(() => {
  if (navigator.webdriver || /bot|headless|crawl/i.test(navigator.userAgent)) return;
  document.cookie = 'human=yes; path=/'; location.reload();
}, ${CHALLENGE_MS});`;
  visit.response.writeHead(403, { ...CLOUDFLARE, 'cf-mitigated': 'challenge' });
  visit.response.end(challengePage(script));
}

/** Retry-After as a date, two seconds after the first request; then it serves. */
function serveRetryAfterDate(visit: RouteVisit): void {
  if (visit.times > 1) return sendArticle(visit, { topic: 'wall-429-date' });
  const at = new Date(Date.now() + 2_000).toUTCString();
  visit.response.writeHead(429, { 'retry-after': at, 'content-type': 'text/plain' });
  visit.response.end('Too many requests');
}

function serveMaintenance({ response }: RouteVisit): void {
  response.writeHead(503, { 'retry-after': '3600', 'content-type': 'text/html' });
  response.end(
    '<!doctype html><html><head><title>Maintenance</title></head><body><h1>We will be back soon</h1><p>The site is down for planned maintenance.</p></body></html>',
  );
}

/** A login page is a page: its words are what a reader sees. */
function serveLogin({ response }: RouteVisit): void {
  sendHtml(
    response,
    '<!doctype html><html><head><title>Sign in</title></head><body><main><h1>Sign in to your account</h1><p>Welcome back. Enter your name and your password to reach your orders.</p><form method="post"><label>Name <input name="user"></label><label>Password <input type="password" name="password"></label><button>Sign in</button></form><p>New here? <a href="/register">Create an account</a> in a minute.</p></main></body></html>',
  );
}

/** Not a wall: a page with a contact form that carries a captcha. */
function serveFormWithCaptcha(visit: RouteVisit): void {
  const after = `<form method="post"><textarea name="message"></textarea><div class="g-recaptcha" data-sitekey="x"></div><div class="cf-turnstile" data-sitekey="x"></div><button>Send</button></form>`;
  sendArticle(visit, { topic: 'wall-form-with-captcha', after });
}

/** Not a wall: words of walls, in an article about them. */
function serveArticleOnCaptchas({ response }: RouteVisit): void {
  sendHtml(
    response,
    `<!doctype html><html><head><title>How captchas work</title></head><body><article><h1>How captchas work</h1><p>A page titled "Just a moment..." says that it is checking your browser. "Access denied", "verify you are a human" and "enable JavaScript and cookies to continue" are other sentences of such walls; Cloudflare, DataDome and PerimeterX write them.</p>${articleHtml('wall-article-on-captchas')}</article></body></html>`,
  );
}
