import { conform } from './conform.js';
import { nullableSchema } from './nullable-schema.js';

const schema = nullableSchema({
  type: 'object',
  properties: {
    name: { type: 'string' },
    price: { type: 'number' },
    sold: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    shop: { type: 'object', properties: { city: { type: 'string' } } },
    either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
  },
});

describe('bringing a value nearer to its schema', () => {
  it.each<[string, unknown, object]>([
    ['adds what is missing', {}, { name: null, tags: null, shop: null }],
    ['takes away what is not declared', { name: 'a', x: 1 }, { name: 'a' }],
    ['says null for an empty text', { name: ' ' }, { name: null }],
    ['reads numbers', { price: '$1,234.50' }, { price: 1234.5 }],
    ['writes numbers', { name: 12 }, { name: '12' }],
    ['reads truth', { sold: 'True' }, { sold: true }],
    [
      'leaves what it would have to guess',
      { price: 'a lot', sold: 'maybe' },
      { price: 'a lot', sold: 'maybe' },
    ],
    ['cuts lists', { tags: ['a', 'b', 'c'] }, { tags: ['a', 'b'] }],
    ['goes into objects', { shop: { x: 1 } }, { shop: { city: null } }],
    ['leaves alternatives', { either: '' }, { either: '' }],
  ])('%s', (_what, value, expected) => {
    const result = conform(value, schema);
    expect(result).toMatchObject(expected);
    expect(Object.keys(result as object)).toEqual([
      'name',
      'price',
      'sold',
      'tags',
      'shop',
      'either',
    ]);
  });

  it('leaves a value of another kind to validation', () => {
    expect(conform(7, schema)).toBe(7);
    expect(conform([1], schema)).toEqual([1]);
  });

  it('keeps further fields where they are welcome', () => {
    const open = {
      properties: { a: { type: ['string', 'null'] } },
      additionalProperties: { type: 'number' },
    };
    expect(conform({ b: '5' }, open)).toEqual({ a: null, b: 5 });
  });

  it('makes no prototype of a name', () => {
    const value = conform(JSON.parse('{"__proto__": {"x": 1}, "b": 1}'), {
      properties: {},
      additionalProperties: true,
    });
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value as object)).toEqual(['__proto__', 'b']);
  });
});
