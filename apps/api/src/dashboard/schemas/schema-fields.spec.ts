import { pageValues, schemaRows, schemaOf, type SchemaRow } from './schema-fields.js';

describe('a schema that is built field by field', () => {
  const rows: readonly SchemaRow[] = [
    { name: 'price', type: 'number', about: 'such as 19.90' },
    { name: 'in_stock', type: 'yes or no', about: '' },
    { name: 'colours', type: 'list of texts', about: '' },
    { name: 'name', type: 'text', about: '' },
  ];

  it('is JSON Schema, and becomes the same rows again', () => {
    const schema = schemaOf(rows);
    expect(schema).toEqual({
      type: 'object',
      properties: {
        price: { type: 'number', description: 'such as 19.90' },
        in_stock: { type: 'boolean' },
        colours: { type: 'array', items: { type: 'string' } },
        name: { type: 'string' },
      },
    });
    expect(schemaRows(schema)).toEqual(rows);
    expect(schemaOf([{ name: 'a' }])).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
    });
    expect(schemaRows(['no schema'])).toEqual([]);
  });

  it.each([
    [[{ name: 'a b' }], 'Name field 1'],
    [[{ name: 'a' }, {}], 'Name field 2'],
    [[{ name: '__proto__' }], 'Name field 1'],
    [[{ name: 'a' }, { name: 'a' }], 'Two fields'],
    [[{ name: 'x'.repeat(61) }], 'Name field 1'],
  ])('says what is wrong with %j', (wrong, text) => {
    expect(() => schemaOf(wrong)).toThrow(text);
  });
});

describe('the values of a page', () => {
  it('are what it states, then its labels and the rows of its tables, each once', () => {
    const found = pageValues({
      formats: { product: { name: 'Lamp', price: 19.9, images: ['a'], _provenance: {} } },
      metadata: { title: 'A lamp', statusCode: 200, isOpen: true, nothing: null },
      markdown:
        '**Weight:** 2 kg\nhttps://x.example/\n| Colour | Red |\n| --- | --- |\n| a | b | c |\nName: other',
    });
    expect(found).toEqual([
      { name: 'name', type: 'text', about: 'such as Lamp', value: 'Lamp' },
      { name: 'price', type: 'number', about: 'such as 19.9', value: '19.9' },
      { name: 'images', type: 'list of texts', about: 'such as a', value: 'a' },
      { name: 'title', type: 'text', about: 'such as A lamp', value: 'A lamp' },
      { name: 'is_open', type: 'yes or no', about: 'such as true', value: 'true' },
      { name: 'weight', type: 'text', about: 'such as 2 kg', value: '2 kg' },
      { name: 'colour', type: 'text', about: 'such as Red', value: 'Red' },
    ]);
  });

  it('have an end, whatever the page is', () => {
    const markdown = Array.from({ length: 50_000 }, (_, n) => `label ${n}: ${'x'.repeat(50)}`).join(
      '\n',
    );
    const found = pageValues({ markdown, metadata: { title: 'y'.repeat(100_000) } });
    expect(found.length).toBeLessThanOrEqual(60);
    expect(JSON.stringify(found).length).toBeLessThan(30_000);
    expect(pageValues({ markdown: `|${'a|'.repeat(50_000)}` })).toEqual([]);
    expect(pageValues(null)).toEqual([]);
  });
});
