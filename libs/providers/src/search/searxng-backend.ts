import type { SearchPeriod } from '@app/search';
import { readPages } from './read-pages.js';
import { requestResults } from './result-request.js';
import type {
  BackendQuery,
  BackendResult,
  BackendTerms,
  ReadResultPage,
  SearchBackend,
  SearchHttp,
} from './search-backend.js';

export interface SearxngBackendOptions {
  /** Address of the instance, before `/search`. */
  readonly url: string;
  readonly http: SearchHttp;
  readonly read: ReadResultPage;
  readonly now?: () => number;
}

const TIME_RANGES: Readonly<Record<SearchPeriod, string>> = {
  d: 'day',
  w: 'week',
  m: 'month',
  y: 'year',
};
/** How long the page is requested at once after the instance refused JSON. */
const PAGE_ONLY_MS = 10 * 60_000;
const FORBIDDEN = 403;

interface PageRequest {
  readonly page: number;
  readonly format: 'json' | 'html';
}

/**
 * A SearXNG instance of the operator: its JSON, or its page of results where JSON is refused (403), the default of an
 * instance. Which engines are used is the instance's configuration, never the query's.
 */
export class SearxngBackend implements SearchBackend {
  readonly source = 'html_provider_1';
  private readonly now: () => number;
  private pageOnlyUntilMs = 0;

  constructor(private readonly options: SearxngBackendOptions) {
    this.now = options.now ?? Date.now;
  }

  search(query: BackendQuery, terms: BackendTerms): Promise<BackendResult> {
    return readPages(query, terms, (page) => this.readPage(query, terms, page));
  }

  private async readPage(
    query: BackendQuery,
    terms: BackendTerms,
    page: number,
  ): Promise<BackendResult> {
    const isPageOnly = this.now() < this.pageOnlyUntilMs;
    if (isPageOnly) return this.request(query, terms, { page, format: 'html' });
    const json = await this.request(query, terms, { page, format: 'json' });
    if (json.ok || json.statusCode !== FORBIDDEN) return json;
    const html = await this.request(query, terms, { page, format: 'html' });
    if (html.ok) this.pageOnlyUntilMs = this.now() + PAGE_ONLY_MS;
    return html;
  }

  private request(
    query: BackendQuery,
    terms: BackendTerms,
    wanted: PageRequest,
  ): Promise<BackendResult> {
    const { http, read, url } = this.options;
    const { locale, tenantId } = query;
    return requestResults({
      http,
      read,
      shape: { kind: wanted.format === 'json' ? 'searxng_json' : 'searxng_html' },
      hasKey: false,
      request: {
        url: searchUrl(url, query, wanted),
        headers: {
          accept: wanted.format === 'json' ? 'application/json' : 'text/html,application/xhtml+xml',
          // Its limiter refuses clients without a language.
          'accept-language': locale === null ? 'en' : `${locale},en;q=0.5`,
        },
      },
      terms: { ...terms, tenantId },
    });
  }
}

function searchUrl(
  instance: string,
  { text, locale, period }: BackendQuery,
  { page, format }: PageRequest,
): string {
  const url = new URL(instance);
  url.pathname = `${url.pathname.replace(/\/(?:search)?$/, '')}/search`;
  url.searchParams.set('q', withoutBangs(text));
  url.searchParams.set('pageno', String(page));
  url.searchParams.set('language', locale ?? 'all');
  if (period !== null) url.searchParams.set('time_range', TIME_RANGES[period]);
  url.searchParams.set('format', format);
  return url.href;
}

/**
 * Words by which a query of SearXNG chooses engines, language or timeout (`!images`, `!!g`, `:fr`, `<9`) become plain words:
 * callers search, and the operator configures the instance.
 */
function withoutBangs(text: string): string {
  const words = text.split(' ').map((word) => word.replace(/^(?:!+|:+|<+)(?=[\p{L}\p{N}])/u, ''));
  return words.join(' ');
}
