import { lookupPart } from '../keys/api-key.js';
import type { Database } from '@app/database';
import type { Tenant } from '../tenants/tenants.js';
import { admitRequests, type AdmittedRequests, type AskedAdmission } from './admit-requests.js';

/** One request with a key. */
export type KeyedRequest = Omit<AskedAdmission, 'wanted'>;

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
const MAX_QUESTIONS = 64;

interface Waiter {
  readonly resolve: (admission: RequestAdmission | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Requests of one key and one window. */
interface Question {
  readonly name: string;
  readonly asked: KeyedRequest;
  readonly waiters: Waiter[];
}

/**
 * One process's access to keys and windows. Requests that arrive in one turn of the event loop, or
 * while all statements are busy, are batched: a busy process sends a few large statements instead
 * of many small ones, and an idle one sends at once. One key and window has one statement in
 * flight, so a flood of one tenant uses one connection and one lock.
 */
export class AdmissionGate {
  private readonly waiting = new Map<string, Question>();
  private readonly underWay = new Set<string>();
  private statements = 0;
  private isDue = false;

  constructor(private readonly database: Database) {}

  /**
   * Counts one request, or refuses it; null when its key is unknown, revoked or at its end. A question is put
   * after its request came, never before. @throws as `admitRequests`
   */
  pass(request: KeyedRequest): Promise<RequestAdmission | null> {
    if (lookupPart(request.key) === null) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      this.questionOf(request).waiters.push({ resolve, reject });
      this.askSoon();
    });
  }

  private questionOf(asked: KeyedRequest): Question {
    const name = `${asked.window} ${asked.leastLimit} ${asked.key}`;
    const known = this.waiting.get(name);
    if (known) return known;
    const question: Question = { name, asked, waiters: [] };
    this.waiting.set(name, question);
    return question;
  }

  /** When all that has arrived is read. */
  private askSoon(): void {
    if (this.isDue || this.waiting.size === 0 || this.statements >= MAX_STATEMENTS) return;
    this.isDue = true;
    setImmediate(() => {
      this.isDue = false;
      this.ask();
    });
  }

  private ask(): void {
    while (this.statements < MAX_STATEMENTS) {
      const questions = this.next();
      if (questions.length === 0) return;
      void this.put(questions);
    }
  }

  /** Sends what can be sent now, first come, first served. */
  private next(): readonly Question[] {
    const questions: Question[] = [];
    for (const question of this.waiting.values()) {
      if (questions.length === MAX_QUESTIONS) break;
      if (this.underWay.has(question.name)) continue;
      this.waiting.delete(question.name);
      this.underWay.add(question.name);
      questions.push(question);
    }
    return questions;
  }

  /** Never rejects: the waiting callers get the error. */
  private async put(questions: readonly Question[]): Promise<void> {
    this.statements++;
    try {
      const answers = await admitRequests(this.database, questions.map(asAsked));
      for (const [at, { waiters }] of questions.entries()) tell(waiters, answers[at] ?? null);
    } catch (error) {
      for (const { waiters } of questions) for (const waiter of waiters) waiter.reject(error);
    } finally {
      this.statements--;
      for (const { name } of questions) this.underWay.delete(name);
      this.askSoon();
    }
  }
}

function asAsked({ asked, waiters }: Question): AskedAdmission {
  return { ...asked, wanted: waiters.length };
}

/** First come, first served; `remaining` counts down in that order. */
function tell(waiters: readonly Waiter[], answer: AdmittedRequests | null): void {
  for (const [index, waiter] of waiters.entries())
    waiter.resolve(answer && admissionOf(answer, index));
}

function admissionOf(
  { tenant, limit, admitted, remaining }: AdmittedRequests,
  index: number,
): RequestAdmission {
  if (index >= admitted) return { tenant, limit, isAdmitted: false, remaining: 0 };
  return { tenant, limit, isAdmitted: true, remaining: remaining + admitted - 1 - index };
}
