import { invalidRequest } from './invalid-request.js';

export interface QueryNumber {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
}

/** A whole number from the query string. @throws ApiError that names the parameter and its bounds */
export function queryNumber(
  name: string,
  text: unknown,
  { fallback, min, max }: QueryNumber,
): number {
  if (text === undefined) return fallback;
  const number = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (number >= min && number <= max) return number;
  throw invalidRequest(`\`${name}\` must be a whole number from ${min} to ${max}`);
}

/** A flag from the query string, off if it is missing. @throws ApiError that names the parameter */
export function queryBoolean(name: string, text: unknown): boolean {
  if (text === undefined || text === 'false') return false;
  if (text === 'true') return true;
  throw invalidRequest(`\`${name}\` must be true or false`);
}
