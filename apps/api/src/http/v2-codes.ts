import type { ApiErrorCode } from '@app/contracts';

/** Codes whose name under /v2 differs; clients of that interface know fewer kinds of errors. */
const V2_CODES: Readonly<Partial<Record<ApiErrorCode, string>>> = {
  api_key_required: 'unauthorized',
  api_key_invalid: 'unauthorized',
  url_required: 'invalid_request',
  file_required: 'invalid_request',
  query_required: 'invalid_request',
  invalid_multipart: 'invalid_request',
  invalid_urls: 'invalid_url',
  too_many_requests: 'rate_limited',
  docx_unavailable: 'unsupported_file',
  file_unreadable: 'parse_failed',
  crawl_unavailable: 'queue_unavailable',
  batch_unavailable: 'queue_unavailable',
  results_unreadable: 'results_unavailable',
};

/** The `code` of an error body under /v2. */
export function v2CodeOf(code: ApiErrorCode): string {
  return V2_CODES[code] ?? code;
}
