import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API_KEY_PREFIX, type Tenant } from '@app/accounts';
import type { ApiErrorCode } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { LinesPerMinute } from './lines-per-minute.js';
import { offeredKeyOf } from '../accounts/auth/require-key.js';

/** What an operator wants to know of who may do what (OWASP ASVS 5.0, 16.3). */
export type SecurityEvent =
  /** A request came with a key that is unknown, revoked or expired. */
  | 'key_refused'
  /** A URL that the egress guard forbids. */
  | 'address_refused'
  /** An id that the caller does not have: it is another account's, or nobody's. */
  | 'unknown_id'
  /** A form of the account page that another site sent, or one without its token. */
  | 'form_refused'
  | 'sign_in_refused'
  | 'session_began'
  | 'session_ended'
  | 'key_provisioned'
  | 'key_made'
  | 'key_rotated'
  | 'key_revoked'
  | 'secret_made'
  | 'data_deleted';

const OF_ERROR: Partial<Record<ApiErrorCode, SecurityEvent>> = {
  api_key_invalid: 'key_refused',
  blocked_url: 'address_refused',
  job_not_found: 'unknown_id',
  key_not_found: 'unknown_id',
  delivery_not_found: 'unknown_id',
  feed_not_found: 'unknown_id',
  deletion_not_found: 'unknown_id',
  conversation_not_found: 'unknown_id',
};

/** Of a route that succeeds. */
const OF_ROUTE: Readonly<Record<string, SecurityEvent>> = {
  'POST /v1/keys/provision': 'key_provisioned',
  'POST /v1/keys': 'key_made',
  'POST /v1/keys/:id/rotate': 'key_rotated',
  'DELETE /v1/keys/:id': 'key_revoked',
  'POST /v1/webhooks/secret': 'secret_made',
  'DELETE /v1/data': 'data_deleted',
  'POST /dashboard/sign-in': 'session_began',
  'POST /dashboard/sign-in/link': 'session_began',
  'POST /dashboard/sign-out': 'session_ended',
};
const SIGN_IN = /^POST \/dashboard\/sign-in(?:\/link)?$/;

/** Of one kind; the rest is counted, and its number logged with the first line of a later minute. */
const LINES_PER_MINUTE = 60;
/** As lists of keys show it. */
const SHOWN_KEY_CHARS = API_KEY_PREFIX.length + 4;

const noted = new WeakMap<FastifyRequest, SecurityEvent>();

/** For what the route and the status do not tell. */
export function noteSecurityEvent(request: FastifyRequest, event: SecurityEvent | undefined): void {
  if (event !== undefined) noted.set(request, event);
}

export function noteRefusal(request: FastifyRequest, code: ApiErrorCode): void {
  noteSecurityEvent(request, OF_ERROR[code]);
}

export interface SecurityLogOptions extends Pick<Runtime, 'log' | 'metrics'> {
  /** The account that a request acts for. */
  readonly tenantOf: (request: FastifyRequest) => Tenant | undefined;
  /** Milliseconds. @default Date.now */
  readonly now?: () => number;
}

/** Logs and counts {@link SecurityEvent}s once the response is sent. */
export function logSecurityEvents(fastify: FastifyInstance, options: SecurityLogOptions): void {
  const lines = new Map<SecurityEvent, LinesPerMinute>();
  fastify.addHook('onResponse', (request, reply, done) => {
    const event = eventOf(request, reply);
    if (event !== undefined) log(event, request, { lines, ...options });
    done();
  });
}

function eventOf(request: FastifyRequest, { statusCode }: FastifyReply): SecurityEvent | undefined {
  const route = `${request.method} ${request.routeOptions.url}`;
  if (statusCode >= 400 && SIGN_IN.test(route)) return 'sign_in_refused';
  return noted.get(request) ?? (statusCode < 400 ? OF_ROUTE[route] : undefined);
}

function log(
  event: SecurityEvent,
  request: FastifyRequest,
  {
    lines,
    log,
    metrics,
    tenantOf,
    now,
  }: SecurityLogOptions & { readonly lines: Map<SecurityEvent, LinesPerMinute> },
): void {
  metrics.securityEvents.inc({ event });
  const kind = lines.get(event) ?? new LinesPerMinute(LINES_PER_MINUTE, now);
  lines.set(event, kind);
  const turn = kind.next();
  if (turn === null) return;
  const tenant = tenantOf(request);
  const offered = event === 'key_refused' ? offeredKeyOf(request) : null;
  log.info(
    {
      security: event,
      requestId: request.id,
      client: request.ip,
      ...(tenant ? { tenantId: tenant.id, keyId: tenant.keyId } : {}),
      ...(offered === null ? {} : { keyPrefix: offered.slice(0, SHOWN_KEY_CHARS) }),
      ...(turn.left > 0 ? { notLogged: turn.left } : {}),
    },
    'security event',
  );
}
