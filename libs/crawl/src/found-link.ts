import type { PageKind, SkipReason } from '@app/contracts';
import type { TrapSign } from './traps.js';

/** A link found on a page. `skip` names why it is recorded but not followed. */
export interface FoundLink {
  readonly urlKey: string;
  readonly url: string;
  readonly host: string;
  readonly depth: number;
  readonly skip: SkipReason | null;
  /** Key of the page it was found on. */
  readonly parentKey?: string | null;
  /** @default 'page' */
  readonly kind?: PageKind;
  /** A pattern of which the job takes so many addresses and no more. */
  readonly bound?: TrapSign | null;
}
