import type { WorldPlace } from './town.js';

/**
 * shop: one place, values of its own. branch: of a franchise; name, domain and sometimes the phone number are those of all
 * branches. outlet: one of two to four of a small chain. client: its phone number is that of a call center. tenant: its
 * domain is that of a mall. neighbor: other businesses are in the same house. moved: sources name two places. renamed:
 * sources name two names.
 */
export type WorldKind =
  'shop' | 'branch' | 'outlet' | 'client' | 'tenant' | 'neighbor' | 'moved' | 'renamed';

/** What is true at one time. */
export interface BusinessState {
  readonly name: string;
  readonly place: WorldPlace;
  readonly phone: string;
  readonly domain: string | null;
}

export interface WorldBusiness {
  readonly id: number;
  readonly kind: WorldKind;
  readonly legalForm: string | null;
  /** Earlier and present; one for most. */
  readonly states: readonly BusinessState[];
  readonly uei: string | null;
  readonly license: string | null;
}
