import { importsOf } from './css-imports.js';
import { readCss, readDeclarations, type StyleSheet } from './css-reader.js';
import { HOSTILE_SHEETS } from './fixtures/hostile-sheets.js';

const plain = (css: string): readonly (readonly [string, string])[] =>
  readCss(css).rules.map(({ selectors, declarations }) => [
    selectors,
    declarations
      .map(({ name, value, isImportant }) => `${name}:${value}${isImportant ? '!' : ''}`)
      .join(';'),
  ]);

describe('readCss', () => {
  it.each<[string, string, readonly (readonly [string, string])[]]>([
    [
      'rules in order',
      'a{color:red}.b{color:blue !important}',
      [
        ['a', 'color:red'],
        ['.b', 'color:blue!'],
      ],
    ],
    [
      'comments left out',
      '/*x*/a/* { */{co/**/lor:red;color:/*;*/blue}',
      [['a', 'color:red;color:blue']],
    ],
    ['groups opened', '@layer x{@supports (a:b){a{color:red}}}', [['a', 'color:red']]],
    [
      'other screens passed over',
      '@media print{a{color:red}}@media (max-width:600px){b{color:red}}c{color:red}',
      [['c', 'color:red']],
    ],
    [
      'conditions in a rule',
      'a{@media (width>=40rem){color:red}@media print{color:blue}}',
      [['a', 'color:red']],
    ],
    [
      'other selectors in a rule passed over',
      'a{color:red;&:hover{color:blue}b{color:green}}',
      [['a', 'color:red']],
    ],
    ['a rule that is not closed', 'a{color:red', [['a', 'color:red']]],
    [
      'stray braces',
      '}}a{color:red}}b{color:blue}',
      [
        ['a', 'color:red'],
        ['b', 'color:blue'],
      ],
    ],
    [
      'broken declarations',
      'a{color;:;color:red;b c;{};color:blue}',
      [['a', 'color:red;color:blue']],
    ],
    ['marks of old HTML', '<!-- a{color:red} -->', [['a', 'color:red']]],
    [
      'semicolons and braces in strings',
      'a{background:url("a;b}c") red}',
      [['a', 'background:url("a;b}c") red']],
    ],
    [
      'unclosed brackets',
      'a{background:url(x;color:red}b{color:blue}',
      [['a', 'background:url(x;color:red}b{color:blue}']],
    ],
    ['a declaration for one old browser', 'a{color:red!ie;color:blue}', [['a', 'color:blue']]],
    [
      'pictures that are no colors',
      'a{background-image:url(x.png)}b{background-image:linear-gradient(red,blue)}',
      [['b', 'background-image:linear-gradient(red,blue)']],
    ],
  ])('reads %s', (_, css, rules) => {
    expect(plain(css)).toEqual(rules);
  });

  it('names what is imported for a screen, and the families that are declared', () => {
    const css =
      '@import url(a.css);@import "b.css" print;@import url("c.css;d") screen;@font-face{font-family:"X Y";src:url(x)}';
    const { imports, fontFaces } = readCss(css);
    expect([imports, fontFaces]).toEqual([['a.css', 'c.css;d'], ['"X Y"']]);
  });

  it.each<[string, string, Partial<StyleSheet>]>([
    [
      'a value of 2,048 characters is whole',
      `a{color:${'x'.repeat(2_048)}}`,
      { isValueCut: false },
    ],
    ['one of 2,049 is cut', `a{color:${'x'.repeat(2_049)}}`, { isValueCut: true }],
    ['a custom property of 500 is kept', `a{--x:${'x'.repeat(500)}}`, { isValueCut: false }],
    ['one of 501 is dropped', `a{--x:${'x'.repeat(501)}}`, { isValueCut: true, rules: [] }],
    ['50,000 rules are kept', 'a{color:red}'.repeat(50_000), { isCut: false }],
    ['more are not', 'a{color:red}'.repeat(50_001), { isCut: true }],
    ['a huge rule is cut', `a{color:red;${'b:c;'.repeat(70_000)}}b{color:red}`, { isCut: true }],
    ['5,000 errors are passed over', `a{${'b;'.repeat(5_000)}color:red}`, { isCut: false }],
    ['more end the reading', `a{${'b;'.repeat(5_001)}color:red}`, { isCut: true }],
  ])('%s', (_, css, expected) => {
    expect(readCss(css)).toMatchObject(expected);
  });

  it('reports that a style attribute was cut', () => {
    expect(readDeclarations(`color:red;--x:${'x'.repeat(600)}`).isValueCut).toBe(true);
    expect(readDeclarations('color:red')).toEqual({
      declarations: [{ name: 'color', value: 'red', isImportant: false }],
      isValueCut: false,
    });
  });
});

describe('importsOf', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'imports before all else',
      '@charset "utf-8";/*x*/@import "a";@layer b,c;@import url(d;e);',
      ['a', 'd;e'],
    ],
    ['none behind a rule', 'a{color:red}@import "a";', []],
    [
      'none for other screens',
      '@import "a" print;@import "b" (max-width:300px);@import "c" layer(x) screen;',
      ['c'],
    ],
    ['no more than are followed', '@import "a";'.repeat(60), Array.from({ length: 50 }, () => 'a')],
    ['an unclosed one', '@import "a', []],
  ])('%s', (_, css, addresses) => {
    expect(importsOf(css)).toEqual(addresses);
  });
});

describe('hostile sheets', () => {
  it.each(Object.entries(HOSTILE_SHEETS))('%s: read', (_, sheetOf) => {
    const css = sheetOf(5_000);
    expect(readCss(css).rules.length + importsOf(css).length).toBeLessThanOrEqual(css.length);
  });

  it('reads 3 million characters of rules in little memory', () => {
    const { rules } = readCss('.a{margin:0;color:red}'.repeat(130_000));
    expect(rules.length).toBe(50_000);
  });
});
