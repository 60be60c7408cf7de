import { isObject } from '@app/content';

/** The result of checking an answer. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  /** The errors, as texts for the model; null: it contains no JSON. */
  | { readonly ok: false; readonly errors: readonly string[] | null };

/** A member of the answer; the answer itself if the model left out the enclosing object. */
export function memberOf(json: unknown, name: string): unknown {
  return isObject(json) && Object.hasOwn(json, name) ? json[name] : json;
}
