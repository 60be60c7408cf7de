import { readFileSync } from 'node:fs';
import { sniffCharset } from './sniff-charset.js';

/** `#data` lines up to `#encoding` and a name; bytes are read as Latin-1, so none is lost. */
function casesOf(file: string): readonly (readonly [number, string, string])[] {
  const text = readFileSync(new URL(`fixtures/html5lib/${file}`, import.meta.url), 'latin1');
  const matches = [...text.matchAll(/^#data\n([^]*?)\n#encoding\n(.*)$/gm)];
  return matches.map(([, data = '', encoding = ''], index) => [index, data, encoding] as const);
}

/** Its meta comes into being when the script runs, and no script runs before a page is decoded. */
const NEEDS_SCRIPT = `document.write('<meta charset="ISO-8859-' + '2">')`;

describe.each([
  ['tests1.dat', 59, 60],
  ['tests2.dat', 22, 22],
  ['test-yahoo-jp.dat', 1, 1],
])('the encoding tests of html5lib: %s, %i of %i', (file, count, all) => {
  const cases = casesOf(file).filter(([, data]) => !data.includes(NEEDS_SCRIPT));

  it(`has ${count} cases, and ${all - count} for which a script would have to run`, () => {
    expect(cases).toHaveLength(count);
    expect(casesOf(file)).toHaveLength(all);
  });

  it.each(cases)('case %i is read in the encoding it names', (_, data, encoding) => {
    expect(sniffCharset(Buffer.from(data, 'latin1'), 'text/html')).toBe(encoding.toLowerCase());
  });
});
