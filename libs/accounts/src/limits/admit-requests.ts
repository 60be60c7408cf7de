import { timingSafeEqual } from 'node:crypto';
import { PLAN_LIMITS, PLANS, type Plan } from '@app/contracts';
import { hashKey, lookupPart } from '../keys/api-key.js';
import { noteUse } from '../keys/note-use.js';
import { Coalescer, type Database, type Statement } from '@app/database';
import type { Tenant } from '../tenants/tenants.js';
import { admissionAt, type AdmissionAnswer, type RateWindow } from './rate-window.js';

/** Requests that come with one key and count in one window. */
export interface KeyRequests {
  /** As it was sent. */
  readonly key: string;
  readonly window: RateWindow;
  /** Least limit of the window, on every plan and under any agreement. */
  readonly leastLimit: number;
  /** Number of concurrent requests. */
  readonly wanted: number;
}

/** The tenant, and how many of its requests may pass. */
export interface AdmittedRequests {
  readonly tenant: Tenant;
  /** Requests within a minute that its window takes. */
  readonly limit: number;
  /** How many of those wanted may pass; the others count for nothing. */
  readonly admitted: number;
  /** How many more may pass after them, now. */
  readonly remaining: number;
}

interface AdmissionRow {
  /** From 1. */
  readonly question: number;
  readonly tenantId: string;
  readonly plan: Plan;
  readonly keyId: string;
  readonly secretHash: Buffer;
  readonly monthlyCredits: number | null;
  readonly requestsPerMinute: number | null;
  readonly concurrentRequests: number | null;
  readonly isUseDue: boolean;
  /** These three are null when the hash is another: nothing was counted. */
  readonly limit: number | null;
  readonly admitted: number | null;
  readonly remaining: number | null;
}

const ADMIT: Statement = {
  name: 'admit_requests',
  text: `SELECT question, tenant_id AS "tenantId", plan, key_id AS "keyId", secret_hash AS "secretHash",
           monthly_credits AS "monthlyCredits", requests_per_minute AS "requestsPerMinute",
           concurrent_requests AS "concurrentRequests", is_use_due AS "isUseDue",
           window_limit AS "limit", admitted, remaining
         FROM admit_requests($1, $2, $3, $4, $5, $6)`,
};

const PLAN_FIGURES = JSON.stringify(
  Object.fromEntries(PLANS.map((plan) => [plan, PLAN_LIMITS[plan].requestsPerMinute])),
);

/**
 * Finds the senders of requests and counts them in their windows, in one round trip: the answers
 * come in the order of the requests, null for a key that is unknown, revoked or expired, which
 * counts nowhere. Nothing is cached: a change to a key acts at the next request, in every process.
 * Within any minute exactly the limit passes, for any number of processes.
 * @throws when the database does not answer
 */
export async function admitRequests(
  database: Database,
  requests: readonly KeyRequests[],
): Promise<readonly (AdmittedRequests | null)[]> {
  const hashes = requests.map(({ key }) => hashKey(key));
  const rows = await database.query<AdmissionRow & Record<string, unknown>>(ADMIT, [
    requests.map(({ key }) => lookupPart(key)),
    hashes,
    requests.map(({ window }) => window),
    requests.map(({ leastLimit }) => leastLimit),
    requests.map(({ wanted }) => wanted),
    PLAN_FIGURES,
  ]);
  const answers = requests.map<AdmittedRequests | null>(() => null);
  for (const row of rows) {
    const at = row.question - 1;
    const admitted = readRow(row, hashes[at]);
    if (admitted && row.isUseDue) noteUse(database, row.keyId);
    answers[at] = admitted;
  }
  return answers;
}

/**
 * The database compares the hashes only for counting; admission is decided here, in constant time.
 */
function readRow(row: AdmissionRow, hash: Buffer | undefined): AdmittedRequests | null {
  const { limit, admitted, remaining, secretHash } = row;
  if (limit === null || admitted === null || remaining === null) return null;
  if (!hash || secretHash.length !== hash.length || !timingSafeEqual(secretHash, hash)) return null;
  const { monthlyCredits, requestsPerMinute, concurrentRequests } = row;
  const agreed = { monthlyCredits, requestsPerMinute, concurrentRequests };
  const tenant = { id: row.tenantId, plan: row.plan, keyId: row.keyId, agreed };
  return { tenant, limit, admitted, remaining };
}

/** One request with a key. */
export type KeyRequest = Omit<KeyRequests, 'wanted'>;

export interface RequestAdmission extends AdmissionAnswer {
  readonly tenant: Tenant;
  /** Requests within a minute that the window takes. */
  readonly limit: number;
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

function admissionOf(answer: AdmittedRequests, index: number): RequestAdmission {
  const { tenant, limit } = answer;
  return { tenant, limit, ...admissionAt(answer, index) };
}
