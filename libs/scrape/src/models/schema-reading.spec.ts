import { checkAnswer } from './schema-reading.js';

const schema = JSON.stringify({
  type: 'object',
  properties: { year: { type: 'integer', minimum: 1900 } },
  required: ['year'],
});
const checked = (year: number) =>
  checkAnswer({
    schema,
    answer: JSON.stringify({ data: { year }, quotes: [] }),
    part: `Founded in ${year}.`,
    title: 'Us',
    url: 'https://a.example/',
  });

describe('the answer of a model', () => {
  it('is returned when it fits the schema, and refused for one value that does not', () => {
    expect(checked(1900)).toMatchObject({ ok: true });
    expect(checked(1899)).toEqual({ ok: false, errors: [expect.stringContaining('1900')] });
  });
});
