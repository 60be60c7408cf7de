import { compileSchema } from './compile-schema.js';
import { isStrictSchema, modelSchema } from './model-schema.js';

function shown(schema: unknown) {
  const result = compileSchema(schema);
  if (!result.ok) throw new Error(result.problem);
  return modelSchema(result.compiled.nullable);
}

describe('a schema as servers are shown it', () => {
  it('has only keywords that model servers know', () => {
    const schema = {
      type: 'object',
      properties: {
        day: { type: 'string', format: 'date', pattern: '^2', description: 'The day' },
        state: ['new', 'used'],
        n: { type: 'integer', minimum: 1, 'x-derived': true },
      },
      minProperties: 1,
    };
    expect(shown(schema)).toEqual({
      type: ['object', 'null'],
      properties: {
        day: { type: ['string', 'null'], description: 'The day' },
        state: { type: ['string', 'null'], enum: ['new', 'used', null] },
        n: { type: ['integer', 'null'] },
      },
      required: ['day', 'state', 'n'],
      additionalProperties: false,
    });
  });

  it.each<[unknown, boolean]>([
    [{ name: 'string', tags: ['string'], state: ['a', 'b'] }, true],
    [{ shop: { rooms: [{ beds: 'integer' }] } }, true],
    [
      { type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { type: 'number' }] } } },
      true,
    ],
    [{ anything: 'any' }, false],
    [{ tags: [] }, false],
    [{ type: 'object' }, false],
    [{ type: 'object', properties: {}, additionalProperties: true }, false],
    [{ allOf: [{ type: 'object', properties: { a: { type: 'string' } } }] }, false],
    [{ type: 'array', prefixItems: [{ type: 'string' }] }, false],
  ])('of %j, strict servers take it: %p', (schema, isStrict) => {
    expect(isStrictSchema(shown(schema))).toBe(isStrict);
  });
});
