import type { SelectorIndex } from '../dom/selector-index.js';
import type { MarkIndex } from '../literals/mark-index.js';
import type { Mark } from './mark.js';

/** What is known of a technology besides its marks. */
export interface TechnologyFacts {
  readonly name: string;
  readonly category: string;
  /** Name and percent. */
  readonly implies: readonly (readonly [string, number])[];
  readonly requires: readonly string[];
  readonly requiresCategory: readonly string[];
  readonly excludes: readonly string[];
  /**
   * It runs on the site's own server, or was built there. A path says that it is there only where the site itself serves
   * it: elsewhere it is the software of another.
   */
  readonly isOfSite: boolean;
}

/** What an element found by a selector shows. */
export interface ElementMark {
  readonly mark: Mark;
  readonly of: { readonly kind: 'exists' } | { readonly kind: 'text' } | AttributeOf;
}

export interface AttributeOf {
  readonly kind: 'attribute';
  readonly name: string;
}

/** Marks of a kind that has names, such as headers. */
export interface NamedMarks {
  readonly byName: ReadonlyMap<string, MarkIndex>;
  /** By the beginning of a name, for names that end in `*`; by length, so that few are looked up. */
  readonly byPrefix: ReadonlyMap<number, ReadonlyMap<string, MarkIndex>>;
}

/**
 * Fingerprints compiled for matching, by {@link compileFingerprints}. It remembers engines and buffers between
 * scans: one set serves one thread, one scan at a time.
 */
export interface FingerprintSet {
  /** Number of technologies. */
  readonly size: number;
  /** Paths of globals that a deep scan should read, sorted. */
  readonly globalPaths: readonly string[];
  /** Marks that were left out, each with its technology and why. */
  readonly problems: readonly string[];
  /** Patterns that V8 runs, so only a thread that can be killed may: technology and pattern. */
  readonly backtracking: readonly string[];
  readonly technologies: readonly TechnologyFacts[];
  readonly byName: ReadonlyMap<string, TechnologyFacts>;
  readonly markCount: number;
  readonly headers: NamedMarks;
  readonly cookies: NamedMarks;
  readonly meta: NamedMarks;
  readonly globals: NamedMarks;
  readonly url: MarkIndex;
  readonly scriptSrc: MarkIndex;
  readonly network: MarkIndex;
  readonly scripts: MarkIndex;
  readonly css: MarkIndex;
  readonly html: MarkIndex;
  readonly dom: SelectorIndex<readonly ElementMark[]>;
}
