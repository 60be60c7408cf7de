import type { Business, BusinessShape, HtmlSourceSetting } from '@app/connectors';
import { resultOfReading } from '../search/result-request.js';
import {
  backendFailure,
  type BackendFailure,
  type BackendResult,
  type BackendTerms,
} from '../search/search-backend.js';
import {
  readBusinessPages,
  type BusinessQuery,
  type BusinessSource,
  type ReadBusinessPage,
} from './business-source.js';
import { sourceRequest } from './source-request.js';

/** A page of a directory, fetched like any page of the web: robots.txt, fetch methods. */
export interface DirectoryPage {
  readonly ok: true;
  readonly html: string;
  /** After redirects. */
  readonly url: string;
}

export type FetchDirectoryPage = (
  page: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  terms: BackendTerms & Pick<BusinessQuery, 'tenantId' | 'plan'>,
) => Promise<DirectoryPage | BackendFailure>;

export interface HtmlSourceOptions {
  readonly setting: HtmlSourceSetting;
  readonly fetchPage: FetchDirectoryPage;
  readonly read: ReadBusinessPage;
}

/** A directory on the web, as the operator describes it. */
export class HtmlSource implements BusinessSource {
  readonly kind = 'html';
  readonly attribution = null;
  readonly source: string;
  readonly costMicroUsd: number;

  constructor(private readonly options: HtmlSourceOptions) {
    this.source = options.setting.name;
    this.costMicroUsd = options.setting.costMicroUsd;
  }

  search(query: BusinessQuery, terms: BackendTerms): Promise<BackendResult<Business>> {
    return readBusinessPages(query, terms, (page) => this.readPage(query, terms, page));
  }

  private async readPage(
    query: BusinessQuery,
    terms: BackendTerms,
    page: number,
  ): Promise<BackendResult<Business>> {
    const { setting, fetchPage, read } = this.options;
    const { tenantId, plan } = query;
    const { url, headers } = sourceRequest(setting, query, page);
    const fetched = await fetchPage({ url, headers }, { ...terms, tenantId, plan });
    terms.signal.throwIfAborted();
    if (!fetched.ok) return fetched;
    const { results, fields, none } = setting;
    const shape: BusinessShape = { kind: 'business_html', results, fields, none };
    // Memory of its own, for it moves to a thread: a Buffer may be part of a pool.
    const body = new TextEncoder().encode(fetched.html);
    const contentType = 'text/html; charset=utf-8';
    const reading = await read(
      { body, contentType, url: fetched.url, shape },
      { ...terms, tenantId },
    );
    terms.signal.throwIfAborted();
    return reading === null
      ? backendFailure('timeout', 'the page could not be read in time')
      : resultOfReading(reading);
  }
}
