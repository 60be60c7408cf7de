import type { ApiSourceSetting, Business, BusinessShape } from '@app/connectors';
import { requestResults } from '../search/result-request.js';
import type { BackendResult, BackendTerms, SearchHttp } from '../search/search-backend.js';
import {
  readBusinessPages,
  type BusinessQuery,
  type BusinessSource,
  type ReadBusinessPage,
} from './business-source.js';
import { sourceRequest } from './source-request.js';

export interface ApiSourceOptions {
  readonly setting: ApiSourceSetting;
  readonly http: SearchHttp;
  readonly read: ReadBusinessPage;
}

/** A partner's API with JSON answers, as the operator describes it. */
export class ApiSource implements BusinessSource {
  readonly kind = 'api';
  readonly attribution = null;
  readonly source: string;
  readonly costMicroUsd: number;

  constructor(private readonly options: ApiSourceOptions) {
    this.source = options.setting.name;
    this.costMicroUsd = options.setting.costMicroUsd;
  }

  search(query: BusinessQuery, terms: BackendTerms): Promise<BackendResult<Business>> {
    return readBusinessPages(query, terms, (page) => this.readPage(query, terms, page));
  }

  private readPage(
    query: BusinessQuery,
    terms: BackendTerms,
    page: number,
  ): Promise<BackendResult<Business>> {
    const { setting, http, read } = this.options;
    const { results, answered, fields } = setting;
    const shape: BusinessShape = { kind: 'business_api', results, answered, fields };
    const request = sourceRequest(setting, query, page);
    return requestResults<BusinessShape, Business>({
      ...{ http, read, shape, hasKey: setting.key !== '' },
      request: { ...request, headers: { accept: 'application/json', ...request.headers } },
      terms: { ...terms, tenantId: query.tenantId },
    });
  }
}
