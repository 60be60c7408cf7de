import { articleHtml, htmlPage, sendHtml, SiteServer, type Visit } from '@app/testing';

const PAGES = 24;
const COPIES = 4;
const REDIRECTS = 4;
const SPELLINGS = 4;
const FAILURES = 3;
/** Addresses of the endless folder that are followed: two without a sign of it, then ten. */
const TRAPPED = 2 + 10;

/** Pages of the mixed site that a crawl without a limit keeps: each of them once. */
export const REACHABLE = 1 + PAGES + 1 + TRAPPED;

/** Most pages of one site that hold links to all kinds of address. */
const LINKS_ON_HOME = ['/p/0', '/r/0', '/copy/0', '/gone/0', '/deeper/', '/p/1?utm_source=home'];

/**
 * A site of all that makes a limit hard to keep: pages that link on, redirects to them, spellings of
 * them under a canonical address, equal contents, pages that fail or forbid to be kept, links that are
 * not vouched for, and a folder without an end.
 */
export function startMixedSite(latencyMs = 3): Promise<SiteServer> {
  return SiteServer.start(serve, { latencyMs });
}

function serve(visit: Visit): void {
  const { url, response } = visit;
  const [, kind = '', which = '0'] = url.pathname.split('/');
  const n = Number(which);
  switch (kind) {
    case '':
      return page(visit, 'home', LINKS_ON_HOME);
    case 'p':
      return n < PAGES ? page(visit, `page-${n}`, linksOf(n), canonicalOf(url)) : missing(visit);
    case 'r':
      return void response.writeHead(302, { location: `/p/${n * 5}` }).end();
    case 'copy':
      return sendHtml(response, htmlPage({ title: 'Copy', body: articleHtml('copies') }));
    case 'hidden':
      return page(visit, `hidden-${n}`, [], '<meta name="robots" content="noindex">');
    case 'deeper':
      return page(visit, `folder ${url.pathname.length}`, ['deeper/']);
    default:
      return missing(visit);
  }
}

const missing = ({ response }: Visit): void => void response.writeHead(404).end('Not Found');

/** Every page is known by several addresses of each kind. */
function linksOf(n: number): string[] {
  return [
    `/p/${(n + 1) % PAGES}`,
    `/p/${(n * 3 + 2) % PAGES}`,
    `/r/${n % REDIRECTS}`,
    `/copy/${n % COPIES}`,
    `/gone/${n % FAILURES}`,
    `/hidden/${n % 2}`,
    `/p/${n}?color=c${n % SPELLINGS}`,
    `/p/${n}?PHPSESSID=${n}abc`,
  ];
}

function canonicalOf({ pathname, search }: URL): string {
  return search === '' ? '' : `<link rel="canonical" href="${pathname}">`;
}

function page({ response }: Visit, topic: string, links: readonly string[], head = ''): void {
  const anchors = links.map((link) => `<a href="${link}">on</a>`).join(' ');
  const secret = '<a rel="nofollow" href="/unvouched">no</a>';
  const body = `${articleHtml(topic)}<p>${anchors} ${secret}</p>`;
  sendHtml(response, htmlPage({ title: `About ${topic}`, body, head }));
}
