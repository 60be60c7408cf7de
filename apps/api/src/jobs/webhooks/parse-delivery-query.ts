import { isId } from '@app/contracts';
import { DELIVERY_STATES, type DeliveryQuery, type DeliveryState } from '@app/webhooks';
import { invalidRequest } from '../../http/invalid-request.js';
import { queryNumber } from '../../http/query-values.js';

export const MAX_LISTED_DELIVERIES = 100;
const LIMIT = { fallback: 20, min: 1, max: MAX_LISTED_DELIVERIES };

/** Raw query of GET /v1/webhooks/deliveries. */
export interface DeliveryQueryText {
  readonly jobId?: unknown;
  readonly state?: unknown;
  readonly cursor?: unknown;
  readonly limit?: unknown;
}

/** @throws ApiError */
export function parseDeliveryQuery(query: DeliveryQueryText): DeliveryQuery {
  return {
    jobId: idOf('jobId', query.jobId),
    state: stateOf(query.state),
    before: idOf('cursor', query.cursor),
    most: queryNumber('limit', query.limit, LIMIT),
  };
}

function idOf(name: string, value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value === 'string' && isId(value)) return value;
  throw invalidRequest(
    name === 'cursor'
      ? '`cursor` must be the `next` of a previous page'
      : `\`${name}\` must be an id`,
  );
}

function stateOf(value: unknown): DeliveryState | null {
  if (value === undefined) return null;
  const state = DELIVERY_STATES.find((one) => one === value);
  if (state !== undefined) return state;
  throw invalidRequest(`\`state\` must be one of ${DELIVERY_STATES.join(', ')}`);
}
