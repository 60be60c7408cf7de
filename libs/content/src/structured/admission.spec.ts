import { Ajv2020 } from 'ajv/dist/2020.js';
import { compileSchema, schemaProblem } from './compile-schema.js';

const many = <T>(count: number, make: (n: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, n) => make(n));

describe('the validation of a schema by the API', () => {
  it.each<[string, object]>([
    [
      'unevaluatedProperties over 240 combinations',
      {
        unevaluatedProperties: false,
        allOf: many(240, (n) => ({ properties: { [`field-${n}`]: { type: 'string' } } })),
      },
    ],
    [
      '400 fields with patterns',
      {
        properties: Object.fromEntries(
          many(400, (n) => [`field-${n}`, { type: 'string', pattern: '^a+$' }]),
        ),
      },
    ],
  ])('takes no compiling: %s', (_name, schema) => {
    const compile = jest.spyOn(Ajv2020.prototype, 'compile');
    try {
      expect(schemaProblem({ type: 'object', ...schema })).toBeNull();
      expect(compile).not.toHaveBeenCalled();
      compileSchema({ type: 'object', properties: { a: { type: 'string' } } });
      expect(compile).toHaveBeenCalledTimes(1);
    } finally {
      compile.mockRestore();
    }
  });

  it.each<[string, object]>([
    ['in a name', { properties: { 'a\ud800': { type: 'string' } } }],
    ['in a text', { properties: { a: { type: 'string', description: 'x\0' } } }],
    ['in a shape', { '\udc00': 'string' }],
  ])('refuses NUL and halves of surrogate pairs %s', (_name, schema) => {
    expect(schemaProblem(schema)).toBe('holds characters that cannot be stored');
    expect(schemaProblem({ properties: { a: { pattern: '[\\u0000\\ud83d]' } } })).toBeNull();
  });

  it.each<[string, object]>([
    ['without choices', { enum: [] }],
    ['an asynchronous one', { $async: true, type: 'object' }],
    ['an old id', { id: 'x', type: 'object' }],
    ['an unknown format', { type: 'string', format: 'unheard-of' }],
    ['an unknown word', { type: 'object', unheardOf: 5 }],
    ['old dependencies', { type: 'object', dependencies: { a: ['b'] } }],
    ['a list as items', { type: 'array', items: [{ type: 'string' }] }],
    [
      'minContains above maxContains',
      { type: 'array', contains: {}, minContains: 2, maxContains: 1 },
    ],
  ])('is what compiling it says: %s', (_name, schema) => {
    const compilation = compileSchema(schema);
    expect(schemaProblem(schema) === null).toBe(compilation.ok);
  });

  const flags = (count: number) => Object.fromEntries(many(count, (n) => [`field-${n}`, true]));
  const referredTo = (times: number, part: object) => ({
    $defs: { part },
    properties: Object.fromEntries(many(times, (n) => [`p${n}`, { $ref: '#/$defs/part' }])),
  });

  it.each<[string, (count: number) => object]>([
    ['in properties', (count) => ({ properties: flags(count - 1) })],
    ['in lists', (count) => ({ prefixItems: many(count - 1, () => true) })],
    ['in parts that are referred to', (count) => referredTo(1, { properties: flags(count - 3) })],
  ])('counts true and false as sub-schemas: %s', (_where, schema) => {
    expect(schemaProblem(schema(500))).toBeNull();
    expect(schemaProblem(schema(501))).toMatch(/^has more than 500 sub-schemas/);
  });

  it('bounds what references add when they are written out', () => {
    // {"type":"string","description":"…"} of 1024 bytes: 128 of them are 131,072.
    const part = { type: 'string', description: 'x'.repeat(1_024 - 34) };
    expect(JSON.stringify(part)).toHaveLength(1_024);
    expect(schemaProblem(referredTo(128, part))).toBeNull();
    expect(schemaProblem(referredTo(129, part))).toMatch(
      /^is too large: its references, written out, are more than 131072 bytes; shorten/,
    );
  });

  it.each<[string, object]>([
    [
      '240 references to 1,800 fields',
      referredTo(240, {
        properties: Object.fromEntries(many(1_800, (n) => [n.toString(36), false])),
      }),
    ],
    [
      '240 references to 3,000 choices',
      referredTo(240, { enum: many(3_000, (n) => n.toString(36)) }),
    ],
    [
      'unevaluatedProperties over 1,900 fields',
      {
        unevaluatedProperties: false,
        allOf: many(480, (n) => ({
          properties: Object.fromEntries(many(4, (at) => [`${n}-${at}`, true])),
        })),
      },
    ],
  ])('refuses what takes long to compile: %s', (_name, schema) => {
    expect(schemaProblem(schema)).toMatch(/500 sub-schemas|131072 bytes/);
  });
});
