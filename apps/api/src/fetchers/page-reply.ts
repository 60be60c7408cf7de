import { ApiError, type FileProblem, type PageDocument, type ScrapeReply } from '@app/contracts';
import { toResultCascade, toResultUnblock } from '@app/jobs';
import { fetchersUnavailable } from './fetcher-call.js';

type FailedReply = Extract<ScrapeReply, { kind: 'failed' }>;
type Body = Readonly<Record<string, unknown>>;

/** The page or document of a reply. `url` is the requested URL. @throws ApiError */
export function documentOf(reply: ScrapeReply, url: string): PageDocument {
  switch (reply.kind) {
    case 'document':
      return reply.document;
    case 'blocked':
      throw new ApiError('blocked_url', { url });
    case 'not_cached':
      throw new ApiError('not_cached');
    case 'unavailable':
      throw new ApiError('browser_unavailable', {}, { isPermanent: reply.isPermanent ?? false });
    case 'failed':
      throw apiErrorOf(reply, url);
  }
}

/** The error of a page that could not be fetched includes the attempts. */
function apiErrorOf(reply: FailedReply, url: string): ApiError {
  const { problem, file } = reply;
  const body = failureBody(url, reply);
  return file === undefined
    ? new ApiError('fetch_failed', { problem }, { body })
    : fileError(file, problem, body);
}

function failureBody(url: string, { cascade, action, statusCode }: FailedReply): Body {
  return {
    url,
    ...(statusCode === undefined ? {} : { statusCode }),
    cascade: toResultCascade(cascade),
    unblock: toResultUnblock(cascade),
    ...(action ? { action } : {}),
  };
}

/**
 * A document without readable text: `reason` is for programs, `message` for people. One that took all the CPU time of
 * a document is charged: it cost more than most that are read.
 */
export function fileError(
  reason: FileProblem | 'timeout',
  message: string,
  more: Body = {},
): ApiError {
  if (reason === 'busy') return fetchersUnavailable(new Error(message));
  const code = reason === 'docx_unavailable' ? 'docx_unavailable' : 'file_unreadable';
  const isCharged = reason === 'max_cpu';
  return new ApiError(code, {}, { body: { ...more, reason, message }, isCharged });
}

/** Model cost of this response; a cached copy was paid for when it was made. */
export function freshCostOf({ llm, cacheAgeMs }: PageDocument): number {
  return cacheAgeMs === undefined ? (llm?.usage.costMicroUsd ?? 0) : 0;
}
