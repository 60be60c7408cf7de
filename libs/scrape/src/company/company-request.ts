import { DEFAULT_CONTENT_OPTIONS, DEFAULT_FETCH_OPTIONS, type Deadline } from '@app/contracts';
import type { EnrichTask } from '@app/company';
import { PLAIN_RENDER } from '@app/fetch';
import type { PageRequest } from '../page/page-result.js';

export interface CompanyRequestTerms {
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
  /** The source is kept, for the brand. */
  readonly rawHtml: boolean;
}

/** A page of a company's site, read for facts about the company. */
export function companyRequest(
  url: string,
  { tenantId, plan, includeTech, includeTeam, useModel }: EnrichTask,
  { deadline, signal, rawHtml }: CompanyRequestTerms,
): PageRequest {
  return {
    url,
    deadline,
    signal,
    ignoreRobotsTxt: false,
    // The Markdown is for the model.
    outputs: { company: true, scan: includeTech, markdown: useModel && includeTeam, rawHtml },
    tenantId,
    plan,
    fetch: DEFAULT_FETCH_OPTIONS,
    content: DEFAULT_CONTENT_OPTIONS,
    render: PLAIN_RENDER,
    onRetryAfter: 'wait',
    crawl: null,
  };
}
