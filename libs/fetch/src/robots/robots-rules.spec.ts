import fc from 'fast-check';
import { MAX_ROBOTS_BYTES, parseRobots } from './robots-rules.js';

const SITE = 'http://site.example';

interface Check {
  readonly agent?: string;
  readonly allowed?: readonly string[];
  readonly denied?: readonly string[];
}

function verify(
  file: string | Uint8Array,
  { agent = 'FooBot', allowed = [], denied = [] }: Check,
): void {
  const rules = parseRobots(file);
  const judge = (path: string) => [
    path,
    rules.isAllowed(path.startsWith('http') ? path : SITE + path, agent),
  ];
  expect(allowed.map(judge)).toEqual(allowed.map((path) => [path, true]));
  expect(denied.map(judge)).toEqual(denied.map((path) => [path, false]));
}

describe('lines and names', () => {
  it.each<[string, string | Uint8Array, Check]>([
    ['an empty file allows all', '', { allowed: ['/', '/x'] }],
    ['keys in any case', 'USER-AGENT: FooBot\nDISALLOW: /x', { denied: ['/x'], allowed: ['/y'] }],
    [
      'CR, LF and CRLF',
      'user-agent: FooBot\rdisallow: /a\r\ndisallow: /b\ndisallow: /c',
      { denied: ['/a', '/b', '/c'] },
    ],
    [
      'blanks around everything',
      ' \tuser-agent :\t FooBot \n disallow\t: /x \t',
      { denied: ['/x'] },
    ],
    [
      'comments',
      '# a\nuser-agent: FooBot # b\ndisallow: /x # c\n#disallow: /y',
      { denied: ['/x'], allowed: ['/y'] },
    ],
    ['a byte order mark', '\uFEFFuser-agent: FooBot\ndisallow: /x', { denied: ['/x'] }],
    [
      'half a byte order mark',
      Buffer.from('\xef\xbbuser-agent: FooBot\ndisallow: /x', 'latin1'),
      { denied: ['/x'] },
    ],
    [
      'a foreign mark spoils only its line',
      Buffer.from('\xef\xbb\x11user-agent: FooBot\ndisallow: /x', 'latin1'),
      { allowed: ['/x'] },
    ],
    ['a missing colon', 'user-agent FooBot\ndisallow /x', { denied: ['/x'] }],
    [
      'a missing colon and three words',
      'user-agent: FooBot\ndisallow /x /y',
      { allowed: ['/x', '/y'] },
    ],
    [
      'common misspellings',
      'useragent: FooBot\ndissallow: /a\ndisalow: /b\ndiasllow: /c',
      { denied: ['/a', '/b', '/c'] },
    ],
    [
      'unknown keys',
      'foo: FooBot\nbar: /x\nuser-agent: FooBot\nnoindex: /y\ndisallow: /z',
      { allowed: ['/x', '/y'], denied: ['/z'] },
    ],
    [
      'names of object properties',
      'constructor: /x\n__proto__: /y\nuser-agent: FooBot\ntostring: /z',
      { allowed: ['/x', '/z'] },
    ],
    [
      'HTML in place of the file',
      '<!doctype html><title>404: user-agent</title><p>disallow: /',
      { allowed: ['/', '/x'] },
    ],
    ['an unfinished last line', 'user-agent: FooBot\ndisallow: /x', { denied: ['/x'] }],
    [
      'rules before any agent',
      'disallow: /x\nuser-agent: FooBot\ndisallow: /y',
      { allowed: ['/x'], denied: ['/y'] },
    ],
  ])('%s', (_name, file, check) => verify(file, check));
});

describe('groups', () => {
  const several = [
    'allow: /before',
    'user-agent: FooBot',
    'disallow: /foo/',
    'user-agent: BarBot',
    'user-agent: BazBot',
    'disallow: /both/',
    '',
    'user-agent: QuxBot',
  ].join('\n');

  it.each<[string, string, Check]>([
    [
      'each agent has its own',
      several,
      { agent: 'FooBot', denied: ['/foo/x'], allowed: ['/both/x'] },
    ],
    [
      'agents in a row share one',
      several,
      { agent: 'BarBot', denied: ['/both/x'], allowed: ['/foo/x'] },
    ],
    [
      'agents in a row share one (second)',
      several,
      { agent: 'BazBot', denied: ['/both/x'], allowed: ['/foo/x'] },
    ],
    ['one without rules allows all', several, { agent: 'QuxBot', allowed: ['/foo/x', '/both/x'] }],
    ['an agent not named has none', several, { agent: 'OtherBot', allowed: ['/foo/x', '/both/x'] }],
    [
      'of one agent are merged',
      'user-agent: FooBot\ndisallow: /a\nuser-agent: *\ndisallow: /\nuser-agent: foobot\ndisallow: /b',
      { denied: ['/a', '/b'], allowed: ['/c'] },
    ],
    ['blank lines do not end one', 'user-agent: FooBot\n\n\ndisallow: /x', { denied: ['/x'] }],
    [
      'other records do not end one',
      'user-agent: FooBot\nsitemap: /s\nuser-agent: BarBot\ndisallow: /x',
      { denied: ['/x'] },
    ],
    [
      'everyone is for agents not named',
      'user-agent: *\ndisallow: /x\nuser-agent: BarBot\ndisallow: /y',
      { denied: ['/x'], allowed: ['/y'] },
    ],
    [
      'a named agent does not read everyone',
      'user-agent: *\ndisallow: /x\nuser-agent: FooBot\nallow: /',
      { allowed: ['/x'] },
    ],
    [
      'an empty own group beats everyone',
      'user-agent: *\ndisallow: /\nuser-agent: FooBot\ndisallow:',
      { allowed: ['/x'] },
    ],
    [
      'everyone may be followed by a comment word',
      'user-agent: * everyone\ndisallow: /x',
      { denied: ['/x'] },
    ],
    ['a star inside a name is no star', 'user-agent: Foo*\ndisallow: /x', { allowed: ['/x'] }],
    [
      'a version is not part of the name',
      'user-agent: FooBot/1.2\ndisallow: /x',
      { denied: ['/x'] },
    ],
    [
      'a name ends at its first blank',
      'user-agent: FooBot Images\ndisallow: /x',
      { denied: ['/x'] },
    ],
    ['a longer name is another agent', 'user-agent: FooBotNews\ndisallow: /x', { allowed: ['/x'] }],
    ['a shorter name is another agent', 'user-agent: Foo\ndisallow: /x', { allowed: ['/x'] }],
    ['names are read in any case', 'user-agent: fOObOT\ndisallow: /x', { denied: ['/x'] }],
    [
      'our own version is dropped, too',
      'user-agent: FooBot\ndisallow: /x',
      { agent: 'FooBot/2.0 (+http://a)', denied: ['/x'] },
    ],
    [
      'our own name is not cut down to letters',
      'user-agent: Foo\ndisallow: /\nuser-agent: *\ndisallow: /x',
      { agent: 'Foo2Bot', denied: ['/x'], allowed: ['/y'] },
    ],
    [
      'our own name is not cut at a blank',
      'user-agent: Foo\nallow: /\nuser-agent: *\ndisallow: /x',
      { agent: 'Foo Bot', denied: ['/x'], allowed: ['/y'] },
    ],
  ])('%s', (_name, file, check) => verify(file, check));
});

describe('delays and sitemaps', () => {
  it.each([
    ['user-agent: *\ncrawl-delay: 5', 'FooBot', 5_000],
    ['user-agent: *\ncrawl-delay: 0.5', 'FooBot', 500],
    ['user-agent: *\ncrawl-delay: 0', 'FooBot', 0],
    ['user-agent: *\nCrawl-Delay: 10 # seconds', 'FooBot', 10_000],
    ['user-agent: *\ncrawl-delay: soon', 'FooBot', null],
    ['user-agent: *\ncrawl-delay: -5', 'FooBot', null],
    [`user-agent: *\ncrawl-delay: ${'9'.repeat(400)}`, 'FooBot', null],
    ['user-agent: *\ncrawl-delay: 5\nuser-agent: FooBot\ndisallow:', 'FooBot', null],
    [
      'user-agent: *\ncrawl-delay: 5\nuser-agent: FooBot\ncrawl-delay: 2\nallow: /',
      'FooBot',
      2_000,
    ],
    [
      'user-agent: FooBot\ncrawl-delay: 5\nallow: /\nuser-agent: FooBot\ncrawl-delay: 2',
      'FooBot',
      5_000,
    ],
    ['user-agent: FooBot\nuser-agent: BarBot\ndisallow: /x\ncrawl-delay: 3', 'BarBot', 3_000],
    ['crawl-delay: 5', 'FooBot', null],
    ['', 'FooBot', null],
  ])('of %j for %s is %p ms', (file, agent, delayMs) => {
    expect(parseRobots(file).crawlDelayMs(agent)).toBe(delayMs);
  });

  it('lists sitemaps from any position, without doubles', () => {
    const file = [
      'Sitemap: https://site.example/a.xml',
      'user-agent: FooBot',
      'site-map: https://site.example/ä.xml',
      'disallow: /',
      'SITEMAP: https://site.example/a.xml # again',
      'sitemap:',
      'sitemap: /relative.xml',
    ].join('\n');
    expect(parseRobots(file).sitemaps).toEqual([
      'https://site.example/a.xml',
      'https://site.example/ä.xml',
      '/relative.xml',
    ]);
  });
});

describe('bounds', () => {
  it('reads the first 500 KiB and no more', () => {
    const filler = `# ${'x'.repeat(97)}\n`.repeat(MAX_ROBOTS_BYTES / 100 - 1);
    const file = `user-agent: FooBot\ndisallow: /a\n${filler}`;
    const tail = '\n'.repeat(200) + 'disallow: /b\n';
    verify(Buffer.from(file + tail), { denied: ['/a'], allowed: ['/b'] });
    verify(file + tail, { denied: ['/a'], allowed: ['/b'] });
  });

  it('leaves out a line that the 500 KiB cut in two', () => {
    const head = 'user-agent: FooBot\ndisallow: /x\n';
    const filler = '#'.repeat(MAX_ROBOTS_BYTES - head.length - 'disallow: /pri'.length - 1);
    verify(`${head}${filler}\ndisallow: /private`, {
      denied: ['/x'],
      allowed: ['/private', '/pri'],
    });
  });

  it('reads every rule of the first 500 KiB, however many there are', () => {
    const lines = Array.from({ length: 25_000 }, (_, i) => `disallow: /${i}$`).join('\n');
    verify(`user-agent: FooBot\n${lines}`, {
      denied: ['/0', '/24999'],
      allowed: ['/25000'],
    });
  });

  it('compares as much of a path as a line can hold', () => {
    const long = `/${'x'.repeat(15_000)}`;
    verify(`user-agent: FooBot\ndisallow: ${long}y\ndisallow: /*z`, {
      denied: [`${long}y`, `${long}z`],
      allowed: [long, `${long}x`],
    });
  });

  it('refuses a long path of a file with more stars than can be matched in time', () => {
    const stars = Array.from({ length: 40_000 }, (_, i) => `allow:*a${i % 10}`).join('\n');
    verify(`user-agent: FooBot\n${stars}`, { denied: [`/${'a'.repeat(8_000)}`], allowed: ['/a'] });
  });

  it('reports the memory of its rules', () => {
    const many = parseRobots(`user-agent: FooBot\n${'allow:/a\n'.repeat(1_000)}`);
    expect(many.memoryBytes).toBeGreaterThan(200_000);
    expect(parseRobots('').memoryBytes).toBe(0);
  });

  it('cuts a line of any length', () => {
    verify(`user-agent: FooBot\ndisallow: /x${'/y'.repeat(50_000)}\ndisallow: /z`, {
      allowed: ['/x'],
      denied: ['/z'],
    });
  });

  it('reads a thousand delays behind a thousand agents', () => {
    // A product token has letters alone.
    const nameOf = (i: number): string =>
      `bot${[...String(i)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;
    const agents = Array.from({ length: 1_000 }, (_, i) => `user-agent: ${nameOf(i)}\n`);
    const file = agents.join('') + 'crawl-delay: 1\n'.repeat(1_000);
    expect(parseRobots(file).crawlDelayMs(nameOf(7))).toBe(1_000);
  });

  it('never throws, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.webUrl(), (noise, url) => {
        const prefix = Buffer.from('user-agent: *\ndisallow: /');
        const rules = parseRobots(Buffer.concat([prefix, noise]));
        expect(typeof rules.isAllowed(url, 'FooBot')).toBe('boolean');
      }),
    );
  });
});
