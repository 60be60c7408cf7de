import { isObject } from '@app/content';

/** What an answer turned out to be. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  /** What is wrong, as texts for the model; null: there is no JSON in it. */
  | { readonly ok: false; readonly errors: readonly string[] | null };

/** A member of the answer; the answer itself where the model left the object around it out. */
export function memberOf(json: unknown, name: string): unknown {
  return isObject(json) && Object.hasOwn(json, name) ? json[name] : json;
}
