import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, type ApiErrorCode } from '@app/contracts';
import { DatabaseUnavailableError } from '@app/database';
import type { Logger, Metrics } from '@app/telemetry';
import { apiVersionOf } from './api-version.js';
import { errorHint, ownHint, suggestedFix } from './hints/error-hint.js';
import { noteRefusal } from './security-log.js';

/** The only place that turns an error into a response. Anything but an ApiError is a 500 without internals. */
@Catch()
export class ApiErrorFilter implements ExceptionFilter {
  constructor(
    private readonly log: Logger,
    private readonly metrics: Metrics,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const apiError = toApiError(error, request);
    if (apiError.code === 'internal') {
      this.log.error(
        { err: error, requestId: request.id, route: request.routeOptions?.url },
        'request failed',
      );
    }
    const { cause } = apiError;
    if (apiError.row.status === 503 && cause !== undefined) {
      this.log.warn(
        { err: cause, requestId: request.id, code: apiError.code },
        'request failed with an internal error',
      );
    }
    this.count(apiError);
    noteRefusal(request, apiError.code);
    const { status } = apiError.row;
    if ((status === 503 && !apiError.isPermanent) || status === 429)
      void reply.header('retry-after', apiError.details['retryAfterSeconds'] ?? 5);
    void reply.status(apiError.row.status).send(presentApiError(apiError, request));
  }

  private count({ code, row }: ApiError): void {
    if (row.status === 401) this.metrics.httpRejections.inc({ reason: 'auth' });
    else if (code === 'payment_required') this.metrics.httpRejections.inc({ reason: 'credits' });
    else if (code === 'body_too_large' || code === 'invalid_json')
      this.metrics.httpRejections.inc({ reason: 'body' });
    else if (code === 'too_many_streams' || code === 'too_many_answers')
      this.metrics.httpRejections.inc({ reason: 'concurrency' });
    else if (row.status === 429) this.metrics.httpRejections.inc({ reason: 'rate_limit' });
    else if (row.status === 400) this.metrics.httpRejections.inc({ reason: 'validation' });
    else if (row.status === 503) this.metrics.httpRejections.inc({ reason: 'overload' });
  }
}

/** Request header: `agent` selects errors for programs. */
const ERROR_FORMAT_HEADER = 'x-error-format';

/** The parts of a request that the presenter reads. */
type ErrorReader = Pick<FastifyRequest, 'headers' | 'id' | 'url'>;

/**
 * The error body (specification: Errors). Under /v2 it has the form of that family. Elsewhere `error` is a text, or
 * the agent envelope if the request selects it or the endpoint is for agents, with the further fields beside it.
 * `hint` says what to do when there is no envelope.
 */
export function presentApiError(apiError: ApiError, request?: ErrorReader): object {
  if (request && apiVersionOf(request) === 'v2') return v2ErrorOf(apiError);
  const { row } = apiError;
  const isForAgent = request !== undefined && isAgent(request);
  const hint = isForAgent ? ownHint(apiError) : errorHint(apiError);
  return {
    ...(row.ok === undefined ? {} : { ok: row.ok }),
    error: isForAgent ? envelopeOf(apiError, request.id) : apiError.message,
    ...(hint === null ? {} : { hint }),
    ...row.extra,
    ...apiError.body,
  };
}

/** The /v2 error body: `details` holds the further fields, null where there are none. */
function v2ErrorOf({ row, code, message, body }: ApiError): object {
  const details = { ...row.extra, ...body };
  return {
    success: false,
    error: message,
    code: v2CodeOf(code),
    details: Object.keys(details).length > 0 ? details : null,
  };
}

/** Endpoints for agents, whose errors have the envelope unless the request selects another form. */
const AGENT_PATH = /^\/v1\/(?:connectors|preview|pull|chat|feeds)(?:[/?]|$)/;

function isAgent({ headers, url }: ErrorReader): boolean {
  const selected = headers[ERROR_FORMAT_HEADER];
  if (selected === undefined) return AGENT_PATH.test(url);
  return String(selected).trim().toLowerCase() === 'agent';
}

function envelopeOf(apiError: ApiError, requestId: string): object {
  const { sentence: message, code } = apiError;
  return { message, code, suggested_fix: suggestedFix(apiError), request_id: requestId };
}

/** Errors of Fastify, by status. */
const BY_STATUS: Readonly<Record<number, ApiErrorCode>> = {
  400: 'invalid_json',
  404: 'not_found',
  413: 'body_too_large',
  415: 'unsupported_media_type',
};

function toApiError(error: unknown, request: FastifyRequest): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DatabaseUnavailableError)
    return new ApiError('auth_unavailable', {}, { cause: error });
  const status = error instanceof HttpException ? error.getStatus() : statusCodeOf(error);
  const code = status === undefined ? undefined : BY_STATUS[status];
  if (code === undefined) return new ApiError('internal', {}, { cause: error });
  return new ApiError(code, { limit: request.routeOptions?.bodyLimit ?? 0 }, { cause: error });
}

function statusCodeOf(error: unknown): number | undefined {
  const statusCode = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof statusCode === 'number' ? statusCode : undefined;
}

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
function v2CodeOf(code: ApiErrorCode): string {
  return V2_CODES[code] ?? code;
}
