import type { ErrorClass } from '@app/contracts';
import type { FetchedPage, FetchRequest, RungFailure } from '../fetch-rung.js';

/** The result of a provider; a failure is a value. */
export type ProviderResult =
  | { readonly ok: true; readonly page: FetchedPage }
  /** 304: the caller's cached copy is still valid. */
  | { readonly ok: true; readonly notModified: true }
  | { readonly ok: false; readonly failure: RungFailure };

/**
 * One way past a site's gate. The unblock rung tries its providers in the order they are given in.
 */
export interface UnblockProvider {
  /** As shown in `unblock.attempts[].provider`. */
  readonly name: string;
  /** `paid`: a third party receives the address. */
  readonly costClass: 'free' | 'paid';
  /** Price of one call in micro-dollars; 0 for a free one. */
  readonly costMicroUsd: number;
  /**
   * Why this request cannot go to this provider; asked before anything is reserved. Null: it can.
   */
  refuses?(request: FetchRequest): Extract<ProviderResult, { ok: false }> | null;
  /**
   * Brings a page within the request's deadline.
   * @throws BlockedUrlError when the guard refuses the target, or what `onRedirect` threw
   */
  fetch(request: FetchRequest): Promise<ProviderResult>;
  /** Ends what the provider keeps open. */
  close?(): Promise<void>;
}

/** A failed try. `problem` follows "Fetch failed: " and must hold no secret. */
export function failedTry(
  errorClass: ErrorClass,
  problem: string,
  more: { readonly statusCode?: number; readonly retryAfterMs?: number | null } = {},
): { readonly ok: false; readonly failure: RungFailure } {
  const { statusCode = null, retryAfterMs = null } = more;
  return {
    ok: false,
    failure: { errorClass, problem: `Fetch failed: ${problem}`, statusCode, retryAfterMs },
  };
}
