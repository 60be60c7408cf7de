import type { ServerResponse } from 'node:http';
import { answerBadly, isFailureMode, type FailureMode } from './failure-modes.js';
import { startLoopbackServer, type ProviderRequest } from './loopback-server.js';

/** The search engines that one server plays, by their path. */
export const FAKE_ENGINES = ['serp', 'searxng', 'html'] as const;
export type FakeEngine = (typeof FAKE_ENGINES)[number];

/**
 * `nothing`: nothing was found. `many`: 5,000 results on one page. `captcha`: a test for people instead of results. `drift`: the
 * markup or the fields are other ones. `drip`: the answer comes byte by byte. `silent`: SearXNG found nothing, and one of its
 * engines did not answer. `no_json`: SearXNG refuses JSON.
 */
export type SearchMode =
  'ok' | 'nothing' | 'many' | 'captcha' | 'drift' | 'drip' | 'silent' | 'no_json' | FailureMode;

/** One result that every engine has, if it matches. */
export interface FakeResult {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
}

export interface FakeSearch {
  /** For SEARCH_SERP, SEARCH_SEARXNG_URL and SEARCH_HTML. */
  readonly settings: Readonly<Record<'SEARCH_SERP' | 'SEARCH_SEARXNG_URL' | 'SEARCH_HTML', string>>;
  readonly key: string;
  /** By engine; for all requests to come. */
  readonly modes: Record<FakeEngine, SearchMode>;
  results: readonly FakeResult[];
  /** Oldest first. */
  readonly requests: readonly ProviderRequest[];
  requestsOf(engine: FakeEngine): readonly ProviderRequest[];
  /** They work, find nothing, and were not asked. */
  reset(): void;
  close(): Promise<void>;
}

const PAGE_SIZE = 10;
const MANY = 5_000;
const KEY = 'fake-search-key';
const PREFIXES: Readonly<Record<FakeEngine, string>> = {
  serp: '/serp',
  searxng: '/sx/',
  html: '/find',
};

/** Three search engines on loopback that can fail in every way. */
export async function startFakeSearch(results: readonly FakeResult[] = []): Promise<FakeSearch> {
  const working: Record<FakeEngine, SearchMode> = { serp: 'ok', searxng: 'ok', html: 'ok' };
  const modes = { ...working };
  const state = { results };
  const server = await startLoopbackServer(async (request, response) => {
    const engine = engineOf(request);
    if (engine === null) return void response.writeHead(404).end();
    return respond(request, response, { engine, mode: modes[engine], results: state.results });
  });
  const origin = `http://127.0.0.1:${server.port}`;
  return {
    settings: settingsFor(origin),
    key: KEY,
    modes,
    get results() {
      return state.results;
    },
    set results(next) {
      state.results = next;
    },
    requests: server.requests,
    requestsOf: (engine) => server.requests.filter((one) => engineOf(one) === engine),
    reset() {
      Object.assign(modes, working);
      state.results = [];
      server.requests.length = 0;
    },
    close: server.close,
  };
}

function settingsFor(origin: string): FakeSearch['settings'] {
  return {
    SEARCH_SERP: JSON.stringify({ preset: 'serper', url: `${origin}/serp`, key: KEY }),
    SEARCH_SEARXNG_URL: `${origin}/sx`,
    SEARCH_HTML: JSON.stringify({
      url: `${origin}/find?q={query}&page={page}&since={time}`,
      times: { d: 'day', w: 'week', m: 'month', y: 'year' },
      results: 'li.hit',
      link: 'a.to',
      snippet: '.about',
      none: '#no-hits',
    }),
  };
}

interface Turn {
  readonly engine: FakeEngine;
  readonly mode: SearchMode;
  readonly results: readonly FakeResult[];
}

function engineOf({ path }: ProviderRequest): FakeEngine | null {
  return FAKE_ENGINES.find((engine) => path.startsWith(PREFIXES[engine])) ?? null;
}

async function respond(
  request: ProviderRequest,
  response: ServerResponse,
  turn: Turn,
): Promise<void> {
  const { engine, mode } = turn;
  if (isFailureMode(mode)) {
    const good = () => Promise.resolve(goodAnswer(request, turn));
    const errorBody = (status: number): string => JSON.stringify({ error: `code ${status}`, KEY });
    return answerBadly(response, { mode, presentedKey: KEY, slowMs: 1_000, errorBody, good });
  }
  if (engine === 'serp' && request.headers['x-api-key'] !== KEY)
    return void response.writeHead(403).end('{"message":"Unauthorized."}');
  const isJson = new URL(request.path, 'http://fake').searchParams.get('format') === 'json';
  if (mode === 'no_json' && isJson) return void response.writeHead(403).end('Forbidden');
  const { contentType, body } = goodAnswer(request, turn);
  response.writeHead(200, { 'content-type': contentType });
  if (mode !== 'drip') return void response.end(body);
  return drip(response, body);
}

/** Never ends by itself within the time of a test. */
function drip(response: ServerResponse, body: string): void {
  let at = 0;
  const timer = setInterval(() => response.write(body.charAt(at++ % body.length)), 50);
  response.once('close', () => clearInterval(timer));
}

function goodAnswer(
  request: ProviderRequest,
  { engine, mode, results }: Turn,
): { readonly contentType: string; readonly body: string } {
  if (mode === 'captcha') return { contentType: 'text/html', body: CAPTCHA };
  const { page, isJson } = paramsOf(request, engine);
  const shown =
    mode === 'many'
      ? manyResults()
      : mode === 'nothing' || mode === 'silent'
        ? []
        : results.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const isDrift = mode === 'drift';
  if (engine === 'serp') return json(serpAnswer(shown, isDrift));
  if (engine === 'html') return html(htmlPage(shown, isDrift));
  const silent = mode === 'silent' ? [['slow engine', 'timeout']] : [];
  return isJson
    ? json(searxngAnswer(shown, silent, isDrift))
    : html(searxngPage(shown, silent, isDrift));
}

function paramsOf(
  { path, body }: ProviderRequest,
  engine: FakeEngine,
): { readonly page: number; readonly isJson: boolean } {
  const query = new URL(path, 'http://fake').searchParams;
  if (engine === 'serp') {
    const { page = 1 } = JSON.parse(body) as { readonly page?: number };
    return { page, isJson: true };
  }
  const page = Number(query.get('pageno') ?? query.get('page') ?? '1');
  return { page, isJson: query.get('format') === 'json' };
}

const json = (value: unknown) => ({
  contentType: 'application/json',
  body: JSON.stringify(value),
});
const html = (body: string) => ({ contentType: 'text/html; charset=utf-8', body });

function manyResults(): readonly FakeResult[] {
  return Array.from({ length: MANY }, (_, at) => ({
    url: `https://many.example/${at}`,
    title: `Result ${at}`,
    snippet: 'One of many. '.repeat(20),
  }));
}

function serpAnswer(results: readonly FakeResult[], isDrift: boolean): unknown {
  const list = results.map(({ url, title, snippet }, at) => ({
    title,
    link: url,
    snippet,
    position: at + 1,
  }));
  if (isDrift) return { data: { hits: list } };
  return { searchParameters: { type: 'search' }, organic: list, credits: 1 };
}

function searxngAnswer(
  results: readonly FakeResult[],
  silent: readonly (readonly string[])[],
  isDrift: boolean,
): unknown {
  const list = results.map(({ url, title, snippet }) => ({
    ...{ url, title, content: snippet, engine: 'local', template: 'default.html' },
    ...{ engines: ['local'], positions: [1], score: 1, category: 'general' },
  }));
  if (isDrift) return { query: 'q', hits: list };
  return {
    ...{ query: 'q', results: list, answers: [], corrections: [], infoboxes: [], suggestions: [] },
    unresponsive_engines: silent,
  };
}

const CAPTCHA =
  '<!doctype html><html><body><form id="captcha-form" action="/sorry" method="post"><p>Unusual traffic from your network</p><input type="text" name="captcha"></form></body></html>';

/** In the structure of the theme "simple". */
function searxngPage(
  results: readonly FakeResult[],
  silent: readonly (readonly string[])[],
  isDrift: boolean,
): string {
  const articles = results.map(
    ({ url, title, snippet }) =>
      `<article class="result result-default category-general"><a href="${text(url)}" class="url_header" rel="noreferrer"><div class="url_wrapper"><span class="url_o1">${text(url)}</span></div></a><h3><a href="${text(url)}" rel="noreferrer">${text(title)}</a></h3><p class="content">${text(snippet)}</p><div class="engines"><span>local</span></div><div class="break"></div></article>`,
  );
  const none =
    '<div class="dialog-error-block" role="alert"><p><strong>Sorry!</strong></p><p>No results were found.</p></div>';
  const messages = silent.map(
    ([name = '', why = '']) =>
      `<tr><td class="engine-name"><a href="/stats">${name}</a></td><td class="response-error">${why}</td></tr>`,
  );
  const urls = results.length > 0 ? articles.join('\n') : none;
  const page = `<!DOCTYPE html><html class="no-js" lang="en"><body><main id="main_results"><div id="results"><div id="sidebar"><div id="engines_msg"><details><table>${messages.join('')}</table></details></div></div><div id="urls" role="main">${urls}</div></div></main></body></html>`;
  return isDrift ? page.replaceAll('class="result ', 'class="entry ').replace(none, '') : page;
}

function htmlPage(results: readonly FakeResult[], isDrift: boolean): string {
  const hits = results.map(
    ({ url, title, snippet }) =>
      `<li class="hit"><a class="to" href="${text(url)}">${text(title)}</a><p class="about">${text(snippet)}</p></li>`,
  );
  const body =
    results.length > 0 ? `<ol>${hits.join('')}</ol>` : '<p id="no-hits">Nothing was found.</p>';
  const page = `<!doctype html><html><body>${body}</body></html>`;
  return isDrift ? page.replaceAll('class="hit"', 'class="row"') : page;
}

function text(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
