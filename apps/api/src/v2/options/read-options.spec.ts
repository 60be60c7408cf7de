import fc from 'fast-check';
import { readOptions } from './read-options.js';
import { withScheme } from './target.js';
import { Warnings } from './warnings.js';

describe('the options of a request', () => {
  it('are used, refused, or named: none is dropped silently, for any object', () => {
    const name = fc.oneof(
      fc.constantFrom('url', 'limit', 'redactPII', 'mobile', 'origin', '__proto__', 'constructor'),
      fc.stringMatching(/^[a-z]{1,8}$/),
    );
    const value = fc.oneof(fc.constantFrom(null, false, true, '', 'x'), fc.jsonValue());
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 15 }), (entries) => {
        const body = JSON.parse(`{${entries.map(memberOf).join(',')}}`) as Record<string, unknown>;
        const warnings = new Warnings();
        const rules = { honoured: ['url', 'limit'], refused: { redactPII: 'why' } };
        let used: object = {};
        try {
          used = readOptions(body, rules, warnings);
        } catch (error) {
          expect(error).toMatchObject({ code: 'unsupported_option' });
          expect(Boolean(body['redactPII'])).toBe(true);
          return;
        }
        for (const [key, sent] of Object.entries(body)) {
          const isUsed = rules.honoured.includes(key);
          const isSilent =
            Object.hasOwn(used, key) || isQuiet(key, sent) || (isUsed && sent === null);
          expect([key, isSilent || (warnings.text ?? '').includes(key)]).toEqual([key, true]);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('are read from the object itself alone', () => {
    const warnings = new Warnings();
    const body = JSON.parse('{"__proto__":{"url":"x"},"constructor":1}') as Record<string, unknown>;
    expect(readOptions(body, { honoured: ['url'] }, warnings)).toEqual({});
    expect(warnings.text).toBe('Options that were ignored: __proto__, constructor.');
  });
});

function memberOf([name, value]: readonly [string, unknown]): string {
  return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
}

/** Clients send these with every request. */
function isQuiet(name: string, value: unknown): boolean {
  if (name === 'origin') return typeof value === 'string';
  return (name === 'mobile' || name === 'redactPII') && (value === false || value === null);
}

describe('the URL that a caller means', () => {
  it.each([
    ['example.com', 'http://example.com'],
    ['localhost:3000/x', 'http://localhost:3000/x'],
    ['//example.com/x', 'http://example.com/x'],
    ['[::1]:80', 'http://[::1]:80'],
    ['https://example.com', 'https://example.com'],
    ['ftp://example.com', 'ftp://example.com'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
    ['data:text/html,x', 'data:text/html,x'],
    ['file:///etc/passwd', 'file:///etc/passwd'],
    ['user:secret@example.com', 'user:secret@example.com'],
    ['', ''],
    [undefined, undefined],
    [7, 7],
  ])('of %j is %j', (sent, meant) => {
    expect(withScheme(sent)).toBe(meant);
  });
});
