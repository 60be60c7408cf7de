import { MAX_LINK_URL_CHARS } from '../limits.js';

/** More than any sheet has rows or columns. */
const MAX_COUNT = 16_777_216;

/** A count of an attribute. What is missing, less than one or no number is one. */
export const odfCount = (value: string | undefined, most = MAX_COUNT): number =>
  Math.min(most, Math.max(1, Math.trunc(Number(value)) || 1));

/** An address that readers can follow. Undefined: a place in the file, or it is too long. */
export const odfAddress = (value = ''): string | undefined =>
  value.length <= MAX_LINK_URL_CHARS && /^(?:https?|mailto|tel|ftp):/i.test(value)
    ? value
    : undefined;
