import { type Thing } from '../thing.js';

/** A thing and the properties that lead to it from the top of its block: `mainEntity`, `publisher`. */
export interface RelatedThing {
  readonly thing: Thing;
  readonly relations: readonly string[];
}

/** Properties by which a page or a review says what it is about. */
export const ABOUT: ReadonlySet<string> = new Set([
  'mainEntity',
  'mainEntityOfPage',
  'about',
  'itemReviewed',
  'primaryTopic',
]);
