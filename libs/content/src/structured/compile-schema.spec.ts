import fc from 'fast-check';
import { compileSchema, schemaProblem, type CompiledSchema } from './compile-schema.js';

function compile(schema: unknown): CompiledSchema {
  const result = compileSchema(schema);
  if (!result.ok) throw new Error(result.problem);
  return result.compiled;
}

describe('a schema of a request', () => {
  it.each<[string, unknown, unknown]>([
    ['a word is a type', { name: 'string' }, { name: { type: 'string' } }],
    [
      'types have other names too',
      { a: 'int', b: 'float', c: 'bool', d: 'date', e: 'url', f: 'any' },
      {
        a: { type: 'integer' },
        b: { type: 'number' },
        c: { type: 'boolean' },
        d: { type: 'string', format: 'date' },
        e: { type: 'string', format: 'uri' },
        f: {},
      },
    ],
    [
      'brackets make a list',
      { tags: 'string[]' },
      { tags: { type: 'array', items: { type: 'string' } } },
    ],
    [
      'a list of one too',
      { tags: ['number'] },
      { tags: { type: 'array', items: { type: 'number' } } },
    ],
    ['an empty list may hold anything', { tags: [] }, { tags: { type: 'array' } }],
    [
      'several are the values to choose from',
      { state: ['new', 'used'] },
      { state: { enum: ['new', 'used'] } },
    ],
    ['a question mark says nothing', { name: 'string?' }, { name: { type: 'string' } }],
    [
      'other words describe a text',
      { name: 'Name of the shop' },
      { name: { type: 'string', description: 'Name of the shop' } },
    ],
    [
      'examples mean their kind',
      { price: 9, sold: true, x: null },
      { price: { type: 'number' }, sold: { type: 'boolean' }, x: {} },
    ],
    [
      'objects nest',
      { shop: { name: 'string', rooms: [{ beds: 'integer' }] } },
      {
        shop: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            rooms: {
              type: 'array',
              items: { type: 'object', properties: { beds: { type: 'integer' } } },
            },
          },
        },
      },
    ],
    [
      'a field may be named as a keyword',
      { type: 'string', name: 'string', title: 'string' },
      { type: { type: 'string' }, name: { type: 'string' }, title: { type: 'string' } },
    ],
    [
      'annotations alone are fields',
      { title: 'string', description: 'string' },
      { title: { type: 'string' }, description: { type: 'string' } },
    ],
  ])('may be a shape: %s', (_what, shape, properties) => {
    expect(compile(shape).schema).toEqual({ type: 'object', properties });
  });

  it('may leave its type out, and hold shapes', () => {
    expect(compile({ properties: { a: 'string', b: { items: 'number' } } }).schema).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'array', items: { type: 'number' } } },
    });
  });

  it('has its local references written out', () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: {
        from: { $ref: '#/definitions/place' },
        to: { $ref: '#/definitions/place', description: 'Where it goes' },
        'a/b': { $ref: '#/properties/from' },
      },
      definitions: { place: { type: 'object', properties: { city: { type: 'string' } } } },
    };
    const place = { type: 'object', properties: { city: { type: 'string' } } };
    expect(compile(schema).schema).toEqual({
      type: 'object',
      properties: { from: place, to: { ...place, description: 'Where it goes' }, 'a/b': place },
    });
  });

  const deep = (levels: number): unknown => (levels === 0 ? 'string' : { inner: deep(levels - 1) });
  const bomb = {
    $ref: '#/$defs/d0',
    $defs: Object.fromEntries(
      Array.from({ length: 11 }, (_, at) => [
        `d${at}`,
        at === 10
          ? { type: 'string' }
          : { anyOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
      ]),
    ),
  };

  it.each<[string, unknown, RegExp]>([
    ['text', 'string', /^must be an object$/],
    ['a list', [], /^must be an object$/],
    ['nothing', null, /^must be an object$/],
    ['an empty object', {}, /^must not be empty$/],
    ['a wrong type', { type: 'object', properties: { a: { type: 'strnig', minLength: 1 } } }, /^$/],
    [
      'a wrong keyword',
      { type: 'string', minLength: -1 },
      /is no valid JSON Schema: \/minLength must be >= 0/,
    ],
    [
      'properties that are a list',
      { type: 'object', properties: [] },
      /is no valid JSON Schema: \/properties must be object/,
    ],
    [
      'items of draft 7',
      { type: 'array', items: [{ type: 'string' }] },
      /is no valid JSON Schema: \/items/,
    ],
    [
      'a remote reference',
      { $ref: 'https://example.com/s.json' },
      /may only refer to parts of itself/,
    ],
    ['a relative reference', { $ref: 'other.json' }, /may only refer to parts of itself/],
    ['an anchor', { $ref: '#here' }, /may only refer to parts of itself/],
    ['a missing part', { $ref: '#/$defs/none' }, /has no part #\/\$defs\/none/],
    [
      'a part of the prototype',
      { type: 'object', properties: { a: { $ref: '#/constructor' } } },
      /has no part/,
    ],
    ['itself', { type: 'object', properties: { child: { $ref: '#' } } }, /refers to itself \(#\)/],
    [
      'a circle',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
      /refers to itself/,
    ],
    ['a bomb of references', bomb, /more than 500 sub-schemas/],
    ['an address', { $id: 'https://example.com/s', type: 'object' }, /uses \$id/],
    [
      'a dynamic reference',
      { type: 'array', items: { $dynamicRef: '#node' } },
      /uses \$dynamicRef/,
    ],
    [
      'another dialect',
      { $schema: 'https://example.com/dialect', type: 'object' },
      /must be JSON Schema 2020-12/,
    ],
    ['too many levels', deep(30), /levels/],
    ['far too many levels', deep(2_000), /levels/],
    ['too many bytes', { a: 'x'.repeat(70_000) }, /larger than 32768 bytes/],
    [
      'too many fields',
      Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`f${at}`, 'string'])),
      /more than 500 sub-schemas/,
    ],
    [
      'a slow pattern of another kind',
      { type: 'string', pattern: '(?=a)b' },
      /has the pattern "\(\?=a\)b", which uses look-ahead/,
    ],
    [
      'a bad pattern of names',
      { type: 'object', patternProperties: { '(': {} } },
      /has the pattern "\("/,
    ],
    [
      'a list of several objects in a shape',
      { a: [{ b: 'string' }, { c: 'string' }] },
      /a list in a shape/,
    ],
    [
      'a name that assigns',
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
      /__proto__/,
    ],
  ])('is refused when it is %s', (_what, schema, problem) => {
    if (problem.source === '^$') return expect(schemaProblem(schema)).toBeNull();
    expect(schemaProblem(schema)).toMatch(problem);
  });

  it('may use a name of the prototype for a field', () => {
    const { errorsOf } = compile({ constructor: 'string', toString: 'number' });
    expect(errorsOf({ constructor: 'a', toString: 1 })).toEqual([]);
    expect(errorsOf({ constructor: 1, toString: 1 })).toEqual(['/constructor must be string,null']);
  });

  it('never throws, whatever it is, and checks any value', () => {
    const keyword = fc.constantFrom(
      'type',
      'properties',
      'items',
      'anyOf',
      'enum',
      '$ref',
      'const',
    );
    const tree = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom('string', 'number', '#', '#/properties/a', null, 1, true, '(a+)+'),
        fc.dictionary(fc.oneof(keyword, fc.constantFrom('a', 'b', '__proto__')), tie('node')),
        fc.array(tie('node'), { maxLength: 3 }),
      ),
    })).node;
    fc.assert(
      fc.property(tree, fc.jsonValue(), (schema, value) => {
        const result = compileSchema(schema);
        if (result.ok) expect(Array.isArray(result.compiled.errorsOf(value))).toBe(true);
        else expect(result.problem).not.toBe('');
      }),
      { numRuns: 300, seed: 11 },
    );
  });

  it('is the same each time', () => {
    const schema = { name: 'string', price: 'number' };
    expect(JSON.stringify(compile(schema).nullable)).toBe(JSON.stringify(compile(schema).nullable));
  });

  it('may have as many fields as fit', () => {
    const field = { type: 'string', pattern: '^[a-z]{1,9}$', format: 'uri' };
    const fields = Array.from({ length: 490 }, (_, at) => [`f${at}`, field]);
    expect(schemaProblem({ type: 'object', properties: Object.fromEntries(fields) })).toBeNull();
  });
});

describe('the schema of an output', () => {
  it.each<[string, unknown, unknown, boolean]>([
    ['a missing value is null', { name: 'string' }, { name: null }, true],
    ['a field must be there', { name: 'string' }, {}, false],
    ['and nothing else', { name: 'string' }, { name: 'a', other: 1 }, false],
    ['types hold', { price: 'number' }, { price: '12' }, false],
    ['choices hold', { state: ['new', 'used'] }, { state: 'old' }, false],
    ['a choice may be missing', { state: ['new', 'used'] }, { state: null }, true],
    [
      'a constant may be missing',
      { type: 'object', properties: { v: { const: 1 } } },
      { v: null },
      true,
    ],
    ['and is that constant', { type: 'object', properties: { v: { const: 1 } } }, { v: 2 }, false],
    ['items are not null', { tags: 'string[]' }, { tags: [null] }, false],
    [
      'places of a tuple may be',
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
      [null, 1],
      true,
    ],
    [
      'there may be fewer items',
      { type: 'array', items: { type: 'string' }, minItems: 3 },
      ['a'],
      true,
    ],
    ['not more', { type: 'array', items: { type: 'string' }, maxItems: 1 }, ['a', 'b'], false],
    [
      'bounds hold',
      { type: 'object', properties: { a: { type: 'number', maximum: 5 } } },
      { a: 6 },
      false,
    ],
    ['formats hold', { day: 'date' }, { day: 'tomorrow' }, false],
    ['formats hold for what is right', { day: 'date' }, { day: '2024-02-29' }, true],
    [
      'patterns hold',
      { type: 'object', properties: { a: { type: 'string', pattern: '^[A-Z]+$' } } },
      { a: 'abc' },
      false,
    ],
    [
      'each pattern is its own',
      {
        type: 'object',
        properties: {
          a: { type: 'string', pattern: '^[A-Z]+$' },
          b: { type: 'string', pattern: '^\\d$' },
        },
      },
      { a: 'AB', b: '1' },
      true,
    ],
    [
      'an open object takes more',
      {
        type: 'object',
        properties: { a: { type: 'string' } },
        additionalProperties: { type: 'number' },
      },
      { a: null, b: 1 },
      true,
    ],
    [
      'alternatives may be missing',
      { type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { type: 'number' }] } } },
      { a: null },
      true,
    ],
    [
      'alternatives hold',
      { type: 'object', properties: { a: { anyOf: [{ type: 'string' }, { type: 'number' }] } } },
      { a: true },
      false,
    ],
    [
      'of alternatives, several may fit',
      {
        oneOf: [
          { type: 'object', properties: { a: { type: 'string' } } },
          { type: 'object', properties: { b: { type: 'string' } } },
        ],
      },
      { a: null, b: null },
      true,
    ],
    [
      'joined schemas hold all',
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string', minLength: 2 } } },
          { type: 'object', properties: { a: { maxLength: 3 } } },
        ],
      },
      { a: 'abcd' },
      false,
    ],
    [
      'conditions alone are conditions',
      { type: 'object', properties: { a: { type: 'string', allOf: [{ maxLength: 3 }] } } },
      { a: 'abc' },
      true,
    ],
    [
      'conditions alone hold',
      { type: 'object', properties: { a: { type: 'string', allOf: [{ maxLength: 3 }] } } },
      { a: 'abcd' },
      false,
    ],
    [
      'what is excluded stays so',
      { type: 'object', properties: { a: { type: 'string', not: { const: 'x' } } } },
      { a: 'x' },
      false,
    ],
    ['the whole may be missing', { type: 'string' }, null, true],
  ])('%s', (_what, schema, value, isRight) => {
    expect(compile(schema).errorsOf(value).length === 0).toBe(isRight);
  });

  it('reads optional fields as generators of schemas write them', () => {
    const { nullable } = compile({
      $defs: {
        Shop: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
      type: 'object',
      properties: {
        shop: { anyOf: [{ $ref: '#/$defs/Shop' }, { type: 'null' }], default: null },
        tags: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
        phone: { type: 'string', format: 'phone', nullable: true },
      },
      required: ['phone'],
    });
    expect(nullable).toEqual({
      type: ['object', 'null'],
      properties: {
        shop: {
          type: ['object', 'null'],
          properties: { city: { type: ['string', 'null'] } },
          required: ['city'],
          additionalProperties: false,
        },
        tags: { type: ['array', 'null'], items: { type: ['string', 'null'] } },
        phone: { type: ['string', 'null'], format: 'phone' },
      },
      required: ['shop', 'tags', 'phone'],
      additionalProperties: false,
    });
  });

  it('names the problem briefly', () => {
    const { errorsOf } = compile({ items: [{ price: 'number', state: ['new', 'used'] }] });
    expect(errorsOf({ items: [{ price: 'x', state: 'old' }] })).toEqual([
      '/items/0/price must be number,null',
      '/items/0/state must be equal to one of the allowed values: ["new","used",null]',
    ]);
    expect(errorsOf({ items: Array(50).fill({}) })).toHaveLength(10);
  });
});
