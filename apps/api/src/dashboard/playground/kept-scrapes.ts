import { createHash } from 'node:crypto';
import { isId, newId } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import {
  claimKey,
  completeClaim,
  readKey,
  releaseClaim,
  type KeyClaim,
  answerPlace,
  keepBytes,
  CLAIM_LEASE_MS,
  LiveClaims,
} from '@app/accounts';
import type { PlaygroundForm } from './playground.page.js';
import { answerIn, type PlaygroundAnswer } from './playground-answer.js';

/** Answers are what POST /v1/scrape answers; fetchers bound them well below. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024;

/** A scrape that was begun before. */
export type KnownScrape =
  | { readonly kind: 'running' }
  /** It broke off, and nothing was charged. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'answered'; readonly answer: PlaygroundAnswer };

/** A scrape of a form: the first time with the right to run it, then as it is. */
export type BegunScrape =
  { readonly id: string; readonly claim: KeyClaim } | { readonly id: string; readonly claim: null };

/**
 * Scrapes of the playground, kept for a day as answers under an idempotency key are: a form that is sent twice runs
 * once, and its answer has an address that can be loaded again for nothing.
 */
export class KeptScrapes {
  private readonly live: LiveClaims;

  constructor(private readonly runtime: Pick<Runtime, 'store' | 'log' | 'blobs'>) {
    this.live = new LiveClaims(runtime.store, runtime.log);
  }

  close(): void {
    this.live.stop();
  }

  /** @param formId of the form as it was shown; another content of it is another scrape */
  async begin(tenantId: string, formId: string, form: PlaygroundForm): Promise<BegunScrape> {
    const id = isId(formId) ? formId : newId();
    const fingerprint = createHash('sha256').update(JSON.stringify(form)).digest();
    const slot = { tenantId, key: keyOf(id) };
    const { store } = this.runtime;
    const outcome = await claimKey(store, { ...slot, fingerprint, leaseMs: CLAIM_LEASE_MS });
    if (outcome.kind === 'reused') return this.begin(tenantId, newId(), form);
    if (outcome.kind !== 'claimed') return { id, claim: null };
    this.live.add(outcome.claim);
    return { id, claim: outcome.claim };
  }

  async keep(claim: KeyClaim, answer: PlaygroundAnswer): Promise<void> {
    const { store } = this.runtime;
    try {
      const bytes = Buffer.from(JSON.stringify(answer));
      const body = await keepBytes(bytes, answerPlace(this.runtime, claim));
      await completeClaim(store, claim, { status: answer.status, headers: {}, body });
    } finally {
      this.live.remove(claim);
    }
  }

  /** A fault of ours: the same form may be sent again. */
  async release(claim: KeyClaim): Promise<void> {
    this.live.remove(claim);
    await releaseClaim(this.runtime.store, claim);
  }

  /** Null when the tenant has none of this id, or no more. */
  async find(tenantId: string, id: string): Promise<KnownScrape | null> {
    if (!isId(id)) return null;
    const known = await readKey(this.runtime.store, { tenantId, key: keyOf(id) });
    if (known?.kind !== 'answered') return known;
    const { body } = known.answer;
    const bytes = Buffer.isBuffer(body)
      ? body
      : await this.runtime.blobs.read(body.blobKey, undefined, MAX_ANSWER_BYTES);
    return { kind: 'answered', answer: answerIn(bytes) };
  }
}

/** The space keeps it apart from the keys of requests, which have none. */
function keyOf(id: string): string {
  return `playground ${id}`;
}
