import { parsePattern } from './parse-pattern.js';
import { requiredLiterals } from './required-literals.js';

describe('requiredLiterals', () => {
  it.each<[string, string[] | null]>([
    ['jQuery', ['jquery']],
    ['/wp-content/(?:themes|plugins)/', ['/wp-content/plugins/', '/wp-content/themes/']],
    ['jquery[.-]([\\d.]*\\d)[^/]*\\.js', ['jquery-', 'jquery.']],
    ['cdn\\.shopify\\.com', ['cdn.shopify.com']],
    ['https?://js\\.stripe\\.com', ['http://js.stripe.com', 'https://js.stripe.com']],
    ['foo\\d+barbaz', ['barbaz']],
    ['(?:foo)?barbaz', ['barbaz', 'foobarbaz']],
    ['(?:foo)*barbaz', ['barbaz']],
    ['(?:foobar)+', ['foobar']],
    ['^Drupal(?: ([\\d.]+))?', ['drupal']],
    ['foo|bar', ['bar', 'foo']],
    ['foo|\\d+', null],
    ['\\d+', null],
    ['', null],
    ['a|', null],
    ['x', null],
    ['é+Café', ['caf']],
    ['(?!foo)barbaz', ['barbaz']],
    ['(foo)\\1', ['foo']],
    // What every page has is worth less than what few have.
    ['<script src="[^"]+ab/x', ['ab/x']],
    ['[abcdef]{3}', null],
    // Too many spellings to go on with: the run begins anew.
    ['[ab][ab][ab][ab][ab]foo', ['afoo', 'bfoo']],
  ])('says that every match of %j holds one of %j', (source, literals) => {
    expect(requiredLiterals(parsePattern(source))).toEqual(literals);
  });
});
