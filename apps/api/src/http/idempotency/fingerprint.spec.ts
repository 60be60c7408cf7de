import { Readable } from 'node:stream';
import { FormDigest, jsonFingerprint } from './fingerprint.js';

const CRAWL = { method: 'POST', url: '/v1/crawl' };
const hex = (body: unknown, url = '/v1/crawl') =>
  jsonFingerprint({ ...CRAWL, url }, body).toString('hex');

describe('the fingerprint of a request', () => {
  it.each<[string, unknown, unknown]>([
    ['order of fields', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }],
    ['spelling of a number', JSON.parse('{"a":1.0}'), JSON.parse('{"a":1}')],
    ['escapes', JSON.parse('{"a":"\\u0062"}'), { a: 'b' }],
  ])('does not depend on %s', (_, one, other) => {
    expect(hex(one)).toBe(hex(other));
  });

  it.each<[string, unknown, unknown]>([
    ['a value', { a: 1 }, { a: 2 }],
    ['its type', { a: 1 }, { a: '1' }],
    ['a null', { a: null }, {}],
    ['order in a list', { a: [1, 2] }, { a: [2, 1] }],
    ['where a list ends', [[1], 2], [[1, 2]]],
    ['what is a name', { 'a":1,"b': 2 }, { a: 1, b: 2 }],
    ['no body', undefined, {}],
  ])('depends on %s', (_, one, other) => {
    expect(hex(one)).not.toBe(hex(other));
  });

  it('depends on the request target, as the router reads it', () => {
    expect(hex({}, '/v1/crawl/')).toBe(hex({}));
    expect(hex({}, '/v1/map')).not.toBe(hex({}));
    expect(hex({}, '/v1/crawl?a=1')).not.toBe(hex({}));
  });

  it('accepts a body as deep and as wide as the API does', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100; level++) deep = { a: deep };
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`f${n}`, n]));
    expect(hex(deep)).not.toBe(hex(wide));
  });
});

describe('the fingerprint of a form', () => {
  const of = async (fields: readonly (readonly [string, string])[], file: string) => {
    const digest = new FormDigest({ method: 'POST', url: '/v1/parse' });
    const chunks = Readable.from([Buffer.from(file.slice(0, 3)), Buffer.from(file.slice(3))]);
    const read = digest.file('file', chunks);
    expect((await read.toArray()).join('')).toBe(file);
    for (const [name, value] of fields) digest.field(name, value);
    return digest.fingerprint().toString('hex');
  };

  it('is that of its parts, in any order and in any pieces', async () => {
    const one = await of([['format', 'rag'], ['a', 'b']], 'content'); // prettier-ignore
    expect(await of([['a', 'b'], ['format', 'rag']], 'content')).toBe(one); // prettier-ignore
    expect(await of([['format', 'rag'], ['a', 'c']], 'content')).not.toBe(one); // prettier-ignore
    expect(await of([['format', 'rag'], ['a', 'b']], 'contenT')).not.toBe(one); // prettier-ignore
  });

  it('propagates a stream error, and closes the stream when the reader does', async () => {
    const digest = new FormDigest({ method: 'POST', url: '/v1/parse' });
    const broken = new Readable({ read() {} });
    const read = digest.file('file', broken);
    broken.destroy(new Error('reset'));
    await expect(read.toArray()).rejects.toThrow('reset');

    const left = Readable.from([Buffer.from('a'), Buffer.from('b')]);
    for await (const _ of digest.file('file', left)) break;
    expect(left.destroyed).toBe(true);
  });
});
