import fc from 'fast-check';
import { parseRobots } from './robots-rules.js';

const SITE = 'http://site.example';

interface Check {
  readonly allowed?: readonly string[];
  readonly denied?: readonly string[];
}

function verify(file: string, { allowed = [], denied = [] }: Check): void {
  const rules = parseRobots(file);
  const judge = (path: string) => [
    path,
    rules.isAllowed(path.startsWith('http') ? path : SITE + path, 'FooBot'),
  ];
  expect(allowed.map(judge)).toEqual(allowed.map((path) => [path, true]));
  expect(denied.map(judge)).toEqual(denied.map((path) => [path, false]));
}

describe('paths', () => {
  const only = (...lines: string[]) => ['user-agent: FooBot', ...lines].join('\n');

  it.each<[string, string, Check]>([
    [
      'a pattern is a prefix',
      only('disallow: /fish'),
      {
        denied: ['/fish', '/fish.html', '/fish/salmon', '/fishheads?id=1'],
        allowed: ['/Fish', '/catfish', '/?id=fish'],
      },
    ],
    [
      'a slash is part of it',
      only('disallow: /fish/'),
      { denied: ['/fish/', '/fish/x'], allowed: ['/fish', '/fish.html'] },
    ],
    [
      'a final star adds nothing',
      only('disallow: /fish*'),
      { denied: ['/fish', '/fishy'], allowed: ['/catfish'] },
    ],
    [
      'a star is anything',
      only('disallow: /*.php'),
      { denied: ['/index.php', '/a/b.php?c', '/a.php/'], allowed: ['/', '/php', '/a.PHP'] },
    ],
    [
      'a dollar is the end',
      only('disallow: /*.php$'),
      { denied: ['/index.php', '/a.php.php'], allowed: ['/a.php?b', '/a.php/', '/a.php5'] },
    ],
    [
      'a star in the middle',
      only('disallow: /fish*.php'),
      { denied: ['/fish.php', '/fishheads/x.php?y'], allowed: ['/Fish.PHP', '/fish'] },
    ],
    [
      'stars in a row are one',
      only('disallow: /a***b'),
      { denied: ['/ab', '/axxb'], allowed: ['/a'] },
    ],
    [
      'parts must not overlap',
      only('disallow: /ab*ba$'),
      { denied: ['/abba', '/abxba'], allowed: ['/aba'] },
    ],
    [
      'the last of several endings counts',
      only('disallow: /*a$'),
      { denied: ['/banana'], allowed: ['/bananab'] },
    ],
    [
      'a dollar elsewhere is a dollar',
      only('disallow: /a$b'),
      { denied: ['/a$bc'], allowed: ['/a'] },
    ],
    ['a lone dollar is the root only', only('disallow: /$'), { denied: ['/'], allowed: ['/x'] }],
    [
      'a pattern may begin with a star',
      only('disallow: *x'),
      { denied: ['/x', '/ax'], allowed: ['/a'] },
    ],
    ['a pattern without slash matches nothing', only('disallow: fish'), { allowed: ['/fish'] }],
    [
      'the longest match wins',
      only('allow: /x/page.html', 'disallow: /x/'),
      { allowed: ['/x/page.html'], denied: ['/x/', '/x/page.htm'] },
    ],
    [
      'order does not matter',
      only('disallow: /x/', 'allow: /x/page.html'),
      { allowed: ['/x/page.html'], denied: ['/x/y'] },
    ],
    ['allow wins a tie', only('disallow: /x', 'allow: /x'), { allowed: ['/x', '/x/y'] }],
    [
      'length counts stars and dollars',
      only('allow: /page', 'disallow: /*.htm'),
      { denied: ['/page.htm'], allowed: ['/page'] },
    ],
    [
      'a longer star beats a shorter path',
      only('allow: /$', 'disallow: /'),
      { allowed: ['/'], denied: ['/page.htm'] },
    ],
    ['empty rules say nothing', only('disallow:', 'allow:'), { allowed: ['/x'] }],
    [
      'query strings are compared',
      only('disallow: /x?a=b'),
      { denied: ['/x?a=b&c'], allowed: ['/x?c=d', '/x'] },
    ],
    ['fragments are not', only('disallow: /x$'), { denied: ['/x#y'] }],
    [
      'the path of a bare host is the root',
      only('disallow: /$'),
      { denied: ['http://site.example', 'http://site.example?'.replace('?', '#a')] },
    ],
    [
      'robots.txt itself is always allowed',
      only('disallow: /'),
      { allowed: ['/robots.txt'], denied: ['/robots.txt?x'.replace('robots', 'robot')] },
    ],
    [
      'allowing index.html allows its directory',
      only('disallow: /', 'allow: /a/index.html'),
      { allowed: ['/a/index.html', '/a/'], denied: ['/a', '/a/b', '/'] },
    ],
    [
      'allowing index.htm allows its directory',
      only('disallow: /', 'allow: /index.htm'),
      { allowed: ['/', '/index.htm', '/index.html'], denied: ['/x'] },
    ],
    [
      'UTF-8 in the file',
      only('disallow: /foo/bar/ツ'),
      { denied: ['/foo/bar/ツ', '/foo/bar/%E3%83%84', '/foo/bar/%e3%83%84'] },
    ],
    [
      'escapes in the file, in any case',
      only('disallow: /foo/bar/%e3%83%84'),
      { denied: ['/foo/bar/ツ', '/foo/bar/%E3%83%84'] },
    ],
    [
      'a last byte that trim would take',
      only('disallow: /à'),
      { denied: ['/à'], allowed: ['/%C3'] },
    ],
    [
      'letters forbidden in escapes are forbidden plainly, too, and the other way round',
      only('disallow: /%62%61%7A', 'disallow: /qu%78', 'disallow: /-._~'),
      { denied: ['/baz', '/%62az', '/%62%61%7a', '/qux', '/q%75x', '/%2d%2e%5f%7e'] },
    ],
    [
      'letters allowed in escapes are allowed as written only',
      only('disallow: /', 'allow: /%62%61%7A'),
      { allowed: ['/%62%61%7a'], denied: ['/baz'] },
    ],
    [
      'an escaped star or dollar is the character itself',
      only('disallow: /a-%2A.html', 'disallow: /b-%24', 'disallow: /c$d'),
      {
        denied: ['/a-*.html', '/a-%2a.html', '/b-$', '/b-%24x', '/c$d', '/c%24d'],
        allowed: ['/a-foo.html', '/b-', '/c'],
      },
    ],
    [
      'an escaped slash is not a slash',
      only('disallow: /a%2fb'),
      { denied: ['/a%2Fb', '/a%2fb'], allowed: ['/a/b'] },
    ],
    ['a colon in the value', only('disallow: /a:b'), { denied: ['/a:bc'], allowed: ['/a'] }],
  ])('%s', (_name, file, check) => verify(file, check));

  it('reads an address without a host as one of the site', () => {
    const rules = parseRobots(only('disallow: /$', 'disallow: /x'));
    const judge = (address: string) => rules.isAllowed(address, 'FooBot');
    expect(['', '/', '/x?y', '//other.example/x'].map(judge)).toEqual([false, false, false, false]);
    expect(judge('/y')).toBe(true);
  });

  it('agrees with a naive matcher of stars, for any pattern', () => {
    const piece = fc.constantFrom('a', 'b', '*', '/', 'ab', 'aabaabaabaabaabaab', '*a', '$');
    const pattern = fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join('')}`);
    const path = fc.array(fc.constantFrom('a', 'b', '/', 'aab', 'aabaabaabaabaabaab'), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(pattern, path, (rule, pieces) => {
        const target = `/${pieces.join('')}`;
        // URL paths that begin with two slashes are paths all the same.
        const expected = plainMatch(rule, new URL(`${SITE}/${pieces.join('')}`).pathname);
        expect(parseRobots(only(`disallow: ${rule}`)).isAllowed(SITE + target, 'FooBot')).toBe(
          !expected,
        );
      }),
      { numRuns: 2_000 },
    );
  });
});

function plainMatch(rule: string, path: string): boolean {
  const isAnchored = rule.endsWith('$');
  const body = (isAnchored ? rule.slice(0, -1) : rule)
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\\\*/g, '.*');
  return new RegExp(`^${body}${isAnchored ? '$' : ''}`).test(path);
}
