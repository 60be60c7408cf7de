import { createHash } from 'node:crypto';
import { isId, newId } from '@app/contracts';
import type { LeaseKeeper, Runtime } from '@app/runtime';
import {
  claimKey,
  completeClaim,
  readKey,
  releaseClaim,
  type KeyClaim,
  answerPlace,
  keepBytes,
  CLAIM_LEASE_MS,
  keepClaims,
} from '@app/idempotency';
import type { PlaygroundForm } from './playground.page.js';
import { answerIn, type PlaygroundAnswer } from './playground-answer.js';

/** Same responses as POST /v1/scrape; fetchers limit them well below this. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024;

/** A scrape that was started before. */
export type KnownScrape =
  | { readonly kind: 'running' }
  /** It broke off, and nothing was charged. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'answered'; readonly answer: PlaygroundAnswer };

/** A scrape of a form: the first time with its claim, afterwards with its state. */
export type BegunScrape =
  { readonly id: string; readonly claim: KeyClaim } | { readonly id: string; readonly claim: null };

/**
 * Scrapes of the playground, stored for a day like responses under an idempotency key: a form that is sent twice runs
 * once, and its result has a URL that can be reloaded free of charge.
 */
export class KeptScrapes {
  private readonly live: LeaseKeeper<KeyClaim>;

  constructor(private readonly runtime: Pick<Runtime, 'database' | 'log' | 'blobs'>) {
    this.live = keepClaims(runtime);
  }

  close(): void {
    this.live.close();
  }

  /** @param formId id of the form as shown; different content is a different scrape */
  async begin(tenantId: string, formId: string, form: PlaygroundForm): Promise<BegunScrape> {
    const id = isId(formId) ? formId : newId();
    const fingerprint = createHash('sha256').update(JSON.stringify(form)).digest();
    const slot = { tenantId, key: keyOf(id) };
    const { database } = this.runtime;
    const outcome = await claimKey(database, { ...slot, fingerprint, leaseMs: CLAIM_LEASE_MS });
    if (outcome.kind === 'reused') return this.begin(tenantId, newId(), form);
    if (outcome.kind !== 'claimed') return { id, claim: null };
    this.live.hold(outcome.claim);
    return { id, claim: outcome.claim };
  }

  async keep(claim: KeyClaim, answer: PlaygroundAnswer): Promise<void> {
    const { database } = this.runtime;
    try {
      const bytes = Buffer.from(JSON.stringify(answer));
      const body = await keepBytes(bytes, answerPlace(this.runtime, claim));
      await completeClaim(database, claim, { status: answer.status, headers: {}, body });
    } finally {
      this.live.release(claim);
    }
  }

  /** An internal error: the same form may be sent again. */
  async release(claim: KeyClaim): Promise<void> {
    this.live.release(claim);
    await releaseClaim(this.runtime.database, claim);
  }

  /** Null if the tenant has no such scrape, or no longer. */
  async find(tenantId: string, id: string): Promise<KnownScrape | null> {
    if (!isId(id)) return null;
    const known = await readKey(this.runtime.database, { tenantId, key: keyOf(id) });
    if (known?.kind !== 'answered') return known;
    const { body } = known.answer;
    const bytes = Buffer.isBuffer(body)
      ? body
      : await this.runtime.blobs.read(body.blobKey, undefined, MAX_ANSWER_BYTES);
    return { kind: 'answered', answer: answerIn(bytes) };
  }
}

/** The space separates it from the keys of requests, which contain none. */
function keyOf(id: string): string {
  return `playground ${id}`;
}
