import { lookupPart } from '../keys/api-key.js';
import { Coalescer, type Database } from '@app/database';
import type { Tenant } from '../tenants/tenants.js';
import { admitRequests, type AdmittedRequests, type KeyRequests } from './admit-requests.js';

/** One request with a key. */
export type KeyRequest = Omit<KeyRequests, 'wanted'>;

export interface RequestAdmission {
  readonly tenant: Tenant;
  /** Requests within a minute that the window takes. */
  readonly limit: number;
  readonly isAdmitted: boolean;
  readonly remaining: number;
}

/**
 * Concurrent statements of one process. One would be enough for the load; with several, a tenant
 * with a slow window does not delay the others.
 */
const MAX_STATEMENTS = 4;
/** Keys in one statement: their windows are locked until its end. */
const MAX_KEYS = 64;

/** One process's access to keys and windows. */
export class AdmissionGate {
  private readonly requests: Coalescer<KeyRequest, RequestAdmission | null>;

  constructor(database: Database) {
    this.requests = new Coalescer({
      nameOf: ({ key, window, leastLimit }) => `${window} ${leastLimit} ${key}`,
      maxStatements: MAX_STATEMENTS,
      maxNames: MAX_KEYS,
      send: async (requests) => {
        const wanted = requests.map(({ call, count }) => ({ ...call, wanted: count }));
        const answers = await admitRequests(database, wanted);
        return answers.map((answer) => (n) => answer && admissionOf(answer, n));
      },
    });
  }

  /**
   * Counts one request, or refuses it; null when its key is unknown, revoked or at its end. The query is sent
   * after its request came, never before. @throws as `admitRequests`
   */
  pass(request: KeyRequest): Promise<RequestAdmission | null> {
    if (lookupPart(request.key) === null) return Promise.resolve(null);
    return this.requests.call(request);
  }
}

/** First come, first served; `remaining` counts down in that order. */
function admissionOf(
  { tenant, limit, admitted, remaining }: AdmittedRequests,
  index: number,
): RequestAdmission {
  if (index >= admitted) return { tenant, limit, isAdmitted: false, remaining: 0 };
  return { tenant, limit, isAdmitted: true, remaining: remaining + admitted - 1 - index };
}
