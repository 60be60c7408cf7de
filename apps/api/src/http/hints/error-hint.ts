import { SUGGESTED_FIXES, type ApiError, type ApiErrorCode } from '@app/contracts';
import { urlHint } from './url-hint.js';

/** Errors of any endpoint whose text alone does not say what to do next. */
const HINTED_CODES: ReadonlySet<ApiErrorCode> = new Set([
  'invalid_json',
  'url_required',
  'domain_required',
  'invalid_url',
  'blocked_url',
  'api_key_required',
  'api_key_invalid',
  'method_not_allowed',
  'not_found',
  'job_not_found',
  'key_not_found',
  'delivery_not_found',
  'body_too_large',
  'unsupported_media_type',
  'screenshot_unavailable',
]);

/**
 * What a person should do about an error: specific to this request if possible, else the advice for its
 * code. Null if the text already says it, or if the only advice is to wait.
 */
export function errorHint(apiError: ApiError): string | null {
  const { code } = apiError;
  return ownHint(apiError) ?? (HINTED_CODES.has(code) ? suggestedFix(apiError) : null);
}

/** Advice that depends on this request. */
export function ownHint({ code, details, hint }: ApiError): string | null {
  if (hint !== null) return hint;
  const { url } = details;
  const isOfUrl = code === 'invalid_url' || code === 'blocked_url';
  return isOfUrl && typeof url === 'string' ? urlHint(url) : null;
}

/** Of errors that only the operator can end, where {@link SUGGESTED_FIXES} is for those that pass by themselves. */
const OPERATOR_FIXES: Readonly<Partial<Record<ApiErrorCode, string>>> = {
  screenshot_unavailable:
    'Do not retry: there is no browser. The operator gets one by npm start or CHROMIUM_PATH; npm run doctor tries it.',
  search_unavailable:
    'Do not retry: search works when the operator has set a backend, as docs/search.md describes.',
};

/** Next step after this error. Waiting is never suggested when only the operator can end it. */
export function suggestedFix({ code, isPermanent }: ApiError): string {
  return (isPermanent ? OPERATOR_FIXES[code] : undefined) ?? SUGGESTED_FIXES[code];
}
