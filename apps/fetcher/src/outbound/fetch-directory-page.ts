import { DEFAULT_CONTENT_OPTIONS, DEFAULT_FETCH_OPTIONS } from '@app/contracts';
import { PLAIN_RENDER } from '@app/fetch';
import { backendFailure, type FetchDirectoryPage } from '@app/providers';
import type { PageFetcher, PageRequest } from '@app/scrape';

/** Failures of a directory that have a status of their own. */
const TOO_MANY = 429;

/** Fetches pages of directories like any page: robots.txt, egress guard, fetch methods. */
export function directoryFetcher(pages: Pick<PageFetcher, 'fetch'>): FetchDirectoryPage {
  return async ({ url, headers }, { deadline, signal, tenantId, plan }) => {
    const fetch = { ...DEFAULT_FETCH_OPTIONS, headers };
    const page = await pages.fetch({ ...BASE, url, deadline, signal, tenantId, plan, fetch });
    switch (page.kind) {
      case 'blocked':
        return backendFailure('provider_error', 'the address of the directory may not be fetched');
      case 'not_modified':
        throw new Error('304 without a conditional request');
      case 'failed': {
        const { errorClass, statusCode, retryAfterMs } = page;
        const problem = `the directory could not be fetched (${errorClass})`;
        const delay = statusCode === TOO_MANY ? retryAfterMs : null;
        return backendFailure(errorClass, problem, { statusCode, retryAfterMs: delay });
      }
      case 'document': {
        const { rawHtml, url: finalUrl } = page.document;
        if (rawHtml === undefined)
          return backendFailure('parse_error', 'the directory answered with a file, not a page');
        return { ok: true, html: rawHtml, url: finalUrl };
      }
    }
  };
}

const BASE = {
  ignoreRobotsTxt: false,
  outputs: { rawHtml: true },
  content: DEFAULT_CONTENT_OPTIONS,
  render: PLAIN_RENDER,
  onRetryAfter: 'report',
  crawl: null,
} as const satisfies Partial<PageRequest>;
