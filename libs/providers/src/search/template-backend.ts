import type { SearchSource, ResultShape, SearchTemplate, SearchValues } from '@app/search';
import { fillJson, fillUrl } from '@app/egress';
import { readPages } from './read-pages.js';
import { requestResults, type ResultCall } from './result-request.js';
import type {
  BackendQuery,
  BackendResult,
  BackendTerms,
  ReadResultPage,
  SearchBackend,
  SearchHttp,
} from './search-backend.js';

export interface TemplateBackendOptions {
  readonly source: SearchSource;
  /** `body`, where it has one, is sent by POST. */
  readonly template: SearchTemplate & { readonly body?: unknown };
  readonly shape: Extract<ResultShape, { kind: 'json' | 'html' }>;
  readonly http: SearchHttp;
  readonly read: ReadResultPage;
}

const ACCEPT = { json: 'application/json', html: 'text/html,application/xhtml+xml' } as const;

/** A search engine that the operator describes: a search API with JSON answers, or a page of results. */
export class TemplateBackend implements SearchBackend {
  readonly source: SearchSource;

  constructor(private readonly options: TemplateBackendOptions) {
    this.source = options.source;
  }

  search(query: BackendQuery, terms: BackendTerms): Promise<BackendResult> {
    const { http, read, shape, template } = this.options;
    return readPages(query, terms, (page) =>
      requestResults({
        http,
        read,
        shape,
        hasKey: template.key !== '',
        request: this.toRequest(query, page),
        terms: { ...terms, tenantId: query.tenantId },
      }),
    );
  }

  private toRequest(query: BackendQuery, page: number): ResultCall['request'] {
    const { template, shape } = this.options;
    const values = valuesFor(template, query, page);
    const headers: Record<string, string> = { accept: ACCEPT[shape.kind] };
    if (query.locale !== null) headers['accept-language'] = query.locale;
    for (const [name, text] of Object.entries(template.headers))
      headers[name.toLowerCase()] = text.replaceAll('{key}', () => template.key);
    const url = fillUrl(template.url, values);
    if (template.body === undefined) return { url, headers };
    return {
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(fillJson(template.body, values)),
    };
  }
}

function valuesFor(
  { key, pageSize, times }: SearchTemplate,
  { text, limit, country, locale, period }: BackendQuery,
  page: number,
): SearchValues {
  return {
    query: text,
    key,
    // The same for each page: some backends count pages by it.
    count: Math.min(pageSize, limit),
    page,
    pageIndex: page - 1,
    offset: (page - 1) * pageSize,
    country,
    countryUpper: country.toUpperCase(),
    language: locale?.split('-')[0] ?? null,
    time: period === null ? null : (times?.[period] ?? null),
  };
}
