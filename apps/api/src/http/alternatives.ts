import type { DocumentedSchema } from '../public/documented-operations.js';

const ALTERNATIVES = new Map<string, readonly DocumentedSchema[]>();

/** A field that is not sent, or null, which is the same. */
export const NOT_SENT: DocumentedSchema = { type: 'null' };
/** A text or list that is there. */
export const SENT: DocumentedSchema = { type: ['string', 'array'], minLength: 1 };

/**
 * Documents which fields of a body go together: it fits one of these at least. Who parses the body refuses the rest;
 * decorators of fields cannot, since each looks at one field.
 */
export function FitsOneOf(...alternatives: readonly DocumentedSchema[]): ClassDecorator {
  return ({ name }) => void ALTERNATIVES.set(name, alternatives);
}

/** This field and none of those. */
export function fieldAlone(name: string, others: readonly string[]): DocumentedSchema {
  const absent = others.map((other) => [other, NOT_SENT] as const);
  return { required: [name], properties: { [name]: SENT, ...Object.fromEntries(absent) } };
}

/**
 * Keywords for an object that fits at least one of these. Not `anyOf` beside `properties`: generators of clients make a
 * union of that, whose members lack the fields.
 */
export function fitsOneOf(
  alternatives: readonly DocumentedSchema[],
): Required<Pick<DocumentedSchema, 'if' | 'then'>> {
  return { if: { type: 'object' }, then: { anyOf: alternatives } };
}

/** By the name of the class. */
export function alternativesOf(name: string): readonly DocumentedSchema[] | undefined {
  return ALTERNATIVES.get(name);
}
