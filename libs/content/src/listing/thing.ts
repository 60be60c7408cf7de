/** A value of a described thing: text, or another thing. Numbers and booleans are text by now. */
export type ThingValue = Leaf | Thing;

export interface Leaf {
  readonly kind: 'leaf';
  readonly text: string;
  readonly path: string;
}

/**
 * A schema.org node, whatever the syntax it was written in (JSON-LD, microdata, RDFa), so that one
 * reader serves all three.
 */
export interface Thing {
  readonly kind: 'thing';
  /** Names of types without their vocabulary: `Restaurant`. */
  readonly types: readonly string[];
  /** JSON path or CSS selector. */
  readonly path: string;
  /** Values of a property in document order; empty when it has none. */
  valuesOf(name: string): readonly ThingValue[];
}

/** Text values of the first of `names` that has any. */
export function textsOf(thing: Thing, ...names: readonly string[]): readonly Leaf[] {
  for (const name of names) {
    const leaves = thing.valuesOf(name).filter((value) => value.kind === 'leaf');
    if (leaves.length > 0) return leaves;
  }
  return [];
}

export function thingsOf(thing: Thing, name: string): readonly Thing[] {
  return thing.valuesOf(name).filter((value) => value.kind === 'thing');
}

/** `https://schema.org/Restaurant`, `schema:Restaurant`, `Restaurant` → `Restaurant`. */
export function bareName(name: string): string {
  const end = Math.max(name.lastIndexOf('/'), name.lastIndexOf('#'), name.lastIndexOf(':'));
  return name.slice(end + 1).trim();
}
