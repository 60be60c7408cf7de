import type { PageEvidence } from './evidence.js';

/** One way to know a wall: its signal holds when the test does. */
export interface Signature {
  readonly signal: string;
  /** `any`: said by the product itself in a header or an address; `small`: only where little text is. */
  readonly where: 'any' | 'small';
  readonly test: (page: PageEvidence) => boolean;
}

/** Statuses with which walls are sent, beside 200. */
const WALL_STATUSES: ReadonlySet<number> = new Set([
  401, 403, 405, 406, 418, 428, 429, 430, 444, 503, 999,
]);

export const isWallStatus = ({ statusCode }: PageEvidence): boolean =>
  WALL_STATUSES.has(statusCode);
