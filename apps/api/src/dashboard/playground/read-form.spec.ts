import { changedRows, readForm } from './read-form.js';
import type { FieldKind, FormField } from './request-form.js';

const field = (name: string, kind: FieldKind, more: Partial<FormField> = {}): FormField => ({
  ...{ name, kind, isRequired: false, help: '', fallback: undefined, example: undefined },
  ...{ choices: [], columns: [], isWhole: false, ...more },
});
const bodyOf = (one: FormField, query: string): unknown => {
  const { body, problems } = readForm([one], new URLSearchParams(query));
  expect([...problems]).toEqual([]);
  return body;
};

describe('the request body of a form', () => {
  it.each<[FieldKind, string, unknown]>([
    ['text', 'f=%20a%20', { f: 'a' }],
    ['text', 'f=%20', {}],
    ['address', 'f=https://example.com/', { f: 'https://example.com/' }],
    ['prose', 'f=%20a%0A', { f: ' a\n' }],
    ['number', 'f=12', { f: 12 }],
    ['number', 'f=-0.5', { f: -0.5 }],
    ['number', 'f=', {}],
    ['choice', 'f=only', { f: 'only' }],
    ['choices', 'f=markdown&f=links', { f: ['markdown', 'links'] }],
    ['choices', '', {}],
    ['lines', 'f=/a%0D%0A%0D%0A/b', { f: ['/a', '/b'] }],
    ['pairs', 'f=accept-language:%20fr%0Ax:1', { f: { 'accept-language': 'fr', x: '1' } }],
    ['json', 'f=[{"type":"click"}]', { f: [{ type: 'click' }] }],
  ])('has a %s of %j as %j', (kind, query, body) => {
    expect(bodyOf(field('f', kind), query)).toEqual(body);
  });

  it('has a switch that differs from what the service does without it', () => {
    const off = field('f', 'switch', { fallback: false });
    const on = field('f', 'switch', { fallback: true });
    expect(bodyOf(off, 'f=off&f=on')).toEqual({ f: true });
    expect(bodyOf(off, 'f=off')).toEqual({});
    expect(bodyOf(on, 'f=off&f=on')).toEqual({});
    expect(bodyOf(on, 'f=off')).toEqual({ f: false });
    // A link that says nothing of it.
    expect(bodyOf(on, '')).toEqual({});
  });

  it('leaves out what the service takes anyway', () => {
    expect(bodyOf(field('f', 'number', { fallback: 10 }), 'f=10')).toEqual({});
    expect(bodyOf(field('f', 'choices', { fallback: ['markdown'] }), 'f=markdown')).toEqual({});
  });

  it('has an object among names once its first field is filled in', () => {
    const columns = [field('query', 'text'), field('max', 'number')];
    const formats = field('f', 'choices', { columns, objectType: 'passages' });
    const filled = 'f=links&f.passages.query=Why%3F&f.passages.max=3';
    expect(bodyOf(formats, filled)).toEqual({
      f: ['links', { type: 'passages', query: 'Why?', max: 3 }],
    });
    expect(bodyOf(formats, 'f=links&f.passages.query=&f.passages.max=3')).toEqual({ f: ['links'] });
  });

  it('has objects for names with points', () => {
    const fields = [field('location.country', 'text'), field('location.city', 'text')];
    const query = 'location.country=DE&location.city=Ulm';
    expect(readForm(fields, new URLSearchParams(query)).body).toEqual({
      location: { country: 'DE', city: 'Ulm' },
    });
  });

  it.each<[FieldKind, string, RegExp]>([
    ['number', 'f=ten', /Write a number/],
    ['json', 'f=[', /This is not JSON/],
    ['json', `f=${'['.repeat(100_000)}`, /nested deeper/],
    ['pairs', 'f=no colon', /name: value/],
  ])('says what is wrong with a %s of %j', (kind, query, text) => {
    const { body, problems } = readForm([field('f', kind)], new URLSearchParams(query));
    expect(body).toEqual({});
    expect(problems.get('f')?.text).toMatch(text);
    expect(problems.get('f')?.given).toBe(query.slice(2));
  });
});

describe('a list of objects of a form', () => {
  const columns = [field('type', 'choice'), field('ms', 'number')];
  const list = field('steps', 'rows', { columns, maxItems: 3 });

  it('has its rows in order, up to the first that is missing', () => {
    const query = 'steps.0.type=wait&steps.0.ms=5&steps.1.type=&steps.1.ms=&steps.3.type=click';
    expect(bodyOf(list, query)).toEqual({ steps: [{ type: 'wait', ms: 5 }, {}] });
    expect(bodyOf(list, '')).toEqual({});
  });

  it.each([
    ['steps add', [1, 2, 3].slice(0, 2), [1, 2, null]],
    ['steps add', [1, 2, 3], [1, 2, 3]],
    ['steps 2 up', [1, 2, 3], [1, 3, 2]],
    ['steps 0 up', [1, 2], [1, 2]],
    ['steps 0 down', [1, 2, 3], [2, 1, 3]],
    ['steps 1 down', [1, 2], [1, 2]],
    ['steps 1 remove', [1, 2, 3], [1, 3]],
    ['steps 9 remove', [1], [1]],
    ['others add', [1], [1]],
    ['steps 0 explode', [1], [1]],
  ])('%s of %j is %j', (change, before, after) => {
    const rows = (numbers: readonly (number | null)[]) =>
      numbers.map((ms) => (ms === null ? {} : { ms }));
    expect(changedRows({ steps: rows(before) }, [list], change)).toEqual({ steps: rows(after) });
  });
});
