import type { DocumentedSchema } from '../public/documented-operations.js';

const ALTERNATIVES = new Map<string, readonly DocumentedSchema[]>();

/** A field that is not sent, or null, which means the same. */
export const NOT_SENT: DocumentedSchema = { type: 'null' };
/** A text or list that is not empty. */
export const SENT: DocumentedSchema = { type: ['string', 'array'], minLength: 1 };

/**
 * Documents which fields of a body go together: the body must match at least one of these. The parser of the body
 * enforces it; field decorators cannot, since each sees one field only.
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
 * Keywords for an object that matches at least one of these. Not `anyOf` beside `properties`: client generators would turn
 * that into a union whose members lack the fields.
 */
export function fitsOneOf(
  alternatives: readonly DocumentedSchema[],
): Required<Pick<DocumentedSchema, 'if' | 'then'>> {
  return { if: { type: 'object' }, then: { anyOf: alternatives } };
}

/** By class name. */
export function alternativesOf(name: string): readonly DocumentedSchema[] | undefined {
  return ALTERNATIVES.get(name);
}
