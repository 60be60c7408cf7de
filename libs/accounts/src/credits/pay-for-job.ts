import { run, type Queryable, type Statement } from '@app/database';
import { reserveJobCredits, type JobCredits } from './job-credits.js';

/** The created job, or why there is none. */
export type MadeJob =
  | {
      readonly kind: 'created';
      /** False: a job with that id existed, e.g. when a request is repeated after a lost answer. */
      readonly isNew: boolean;
      /** Maximum number of pages: the requested number, or the number the credits cover. */
      readonly pageLimit: number;
    }
  | UnpaidJob;

/** No job was created: the credits cover no page. */
export interface UnpaidJob {
  readonly kind: 'unpaid';
  /** Prepaid credits left. */
  readonly balance: number;
  readonly required: number;
}

/** Rolls back the transaction that creates a job; {@link unlessUnpaid} turns it into a value. */
export class UnpaidJobError extends Error {
  constructor(readonly unpaid: UnpaidJob) {
    super('no credits are left for a job');
    this.name = 'UnpaidJobError';
  }
}

/**
 * The result of a transaction with {@link payForJob}, or that it was rolled back because no credits
 * are left.
 */
export async function unlessUnpaid<T>(made: Promise<T>): Promise<T | UnpaidJob> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof UnpaidJobError) return error.unpaid;
    throw error;
  }
}

/** A page costs a credit at most, so a job may scrape one page per reserved credit. */
const LIMIT_JOB: Statement = {
  name: 'hold_job_credits',
  text: 'UPDATE jobs SET page_limit = least(page_limit, $2), credits_held = $2 WHERE id = $1',
};

/**
 * Reserves credits for a job that this transaction creates, and limits its pages to the number they
 * cover. The last step of the transaction: the balance is locked until it ends, and rows of `hosts`
 * are locked before it, here as where jobs end. Returns the page limit.
 * @throws an error for {@link unlessUnpaid} when no credits are left
 */
export async function payForJob(tx: Queryable, job: JobCredits): Promise<number> {
  const reservation = await reserveJobCredits(tx, job);
  if (reservation.kind === 'refused') {
    const { balance, required } = reservation;
    throw new UnpaidJobError({ kind: 'unpaid', balance, required });
  }
  if (reservation.isReserved) await run(tx, LIMIT_JOB, [job.chargeId, reservation.credits]);
  return reservation.credits;
}

const KNOWN_JOB: Statement = {
  name: 'known_job',
  text: 'SELECT page_limit AS "pageLimit" FROM jobs WHERE id = $1',
};

/** The job that an earlier try made. */
export async function knownJob(tx: Queryable, id: string): Promise<MadeJob> {
  const [job] = await run<{ pageLimit: number }>(tx, KNOWN_JOB, [id]);
  if (!job) throw new Error(`job ${id} is neither new nor there`);
  return { kind: 'created', isNew: false, pageLimit: job.pageLimit };
}
