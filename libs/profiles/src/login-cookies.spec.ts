import { COOKIE_LIMITS, CookieInputError, isOfHosts, LoginCookies } from './login-cookies.js';

const at = (text: string) => new URL(text);
const LATER = Math.floor(Date.now() / 1_000) + 3_600;
const of = (...list: object[]) => LoginCookies.given(list, at('https://a.example/login'));

describe('the cookies of a login', () => {
  it.each<[string, object, string, string]>([
    ['its own host', { domain: 'a.example' }, 'https://a.example/x', 's=1'],
    ['no subdomain', { domain: 'a.example' }, 'https://www.a.example/', ''],
    ['subdomains after a dot', { domain: '.a.example' }, 'https://x.y.a.example/', 's=1'],
    ['the host itself after a dot', { domain: '.a.example' }, 'https://a.example/', 's=1'],
    [
      'subdomains of no host only',
      { domain: 'a.example', hostOnly: false },
      'https://w.a.example/',
      's=1',
    ],
    ['no name that ends alike', { domain: '.a.example' }, 'https://bada.example/', ''],
    ['no other host', { domain: '.a.example' }, 'https://a.example.evil.test/', ''],
    ['the host of `url` without a domain', {}, 'https://a.example/', 's=1'],
    ['any port', {}, 'https://a.example:8443/', 's=1'],
    ['http, unless it is secure', {}, 'http://a.example/', 's=1'],
    ['https if it is secure', { secure: true }, 'http://a.example/', ''],
    [
      'no loopback by http if it is secure',
      { domain: 'localhost', secure: true },
      'http://localhost/',
      '',
    ],
    ['its path', { path: '/in' }, 'https://a.example/in/x', 's=1'],
    ['no path that begins alike', { path: '/in' }, 'https://a.example/inside', ''],
    ['an address of numbers', { domain: '127.0.0.1' }, 'http://127.0.0.1:1/', 's=1'],
  ])('go to %s', (_, over, url, header) => {
    const cookies = of({ name: 's', value: '1', ...over });
    expect(cookies.headerFor(at(url))).toBe(header);
    expect(LoginCookies.read(cookies.toJson()).headerFor(at(url))).toBe(header);
  });

  it('are read from the text of a header, for the host of the address alone', () => {
    const cookies = LoginCookies.given('a=1; b=x=y ; ', at('https://a.example/'));
    expect(cookies.headerFor(at('https://a.example/p'))).toBe('a=1; b=x=y');
    expect(cookies.headerFor(at('http://a.example/p'))).toBe('');
    expect(cookies.headerFor(at('https://www.a.example/'))).toBe('');
    expect([cookies.hosts, cookies.names]).toEqual([['a.example'], ['a', 'b']]);
  });

  it('end with the last of them, and one without a time has none', () => {
    const [soon, late] = [{ name: 'a', value: '1', expires: LATER }, LATER + 60];
    expect(of(soon, { name: 'b', value: '1', expirationDate: late }).until).toEqual(
      new Date(late * 1_000),
    );
    expect(of(soon, { name: 'b', value: '1', expires: -1 }).until).toBeNull();
    expect(of(soon, { name: 'b', value: '1', expires: 1 }).names).toEqual(['a']);
  });

  it('are those that a browser takes', () => {
    const given = { name: 's', value: '1', domain: '.a.example', path: '/p', secure: true };
    const whole = { ...given, httpOnly: true, sameSite: 'Lax', expires: LATER };
    const own = { name: 't', value: '2', sameSite: 'no_restriction' };
    expect(of(whole, own).forBrowser()).toEqual([
      { ...given, httpOnly: true, sameSite: 'lax', expires: LATER },
      { name: 't', value: '2', domain: 'a.example', path: '/', secure: false, httpOnly: false },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['a number', 7, 'a text or a list'],
    ['nothing', '', 'no cookie'],
    ['only what has ended', [{ name: 'a', value: '1', expires: 1 }], 'no cookie'],
    ['null as an entry', [null], '[0] must be an object'],
    ['no name', [{ value: '1' }], '[0] needs a name'],
    ['a name with =', [{ name: 'a=b', value: '1' }], '[0] needs a name'],
    ['a line end', [{ name: 'a', value: 'CANARY\r\nx: y' }], '[0] needs a value'],
    ['a separator', [{ name: 'a', value: 'CANARY; Domain=b' }], '[0] needs a value'],
    ['too long a value', [{ name: 'a', value: 'C'.repeat(COOKIE_LIMITS.chars) }], 'longer than'],
    [
      'a domain with a path',
      [{ name: 'a', value: 'CANARY', domain: 'a.example/x' }],
      'no host name',
    ],
    ['a public suffix', [{ name: 'a', value: 'CANARY', domain: '.co.uk' }], 'a site of its domain'],
    [
      'a top-level domain',
      [{ name: 'a', value: 'CANARY', domain: '.com' }],
      'a site of its domain',
    ],
    ['a path without /', [{ name: 'a', value: 'CANARY', path: 'x' }], '[0] has a path'],
    [
      'a name that promises more',
      [{ name: '__Host-a', value: 'CANARY', domain: '.a.example' }],
      'may set',
    ],
    ['too many', Array(COOKIE_LIMITS.cookies + 1).fill({ name: 'a', value: '1' }), 'at most 100'],
  ])('are refused with %s, and the error has no value', (_, input, message) => {
    const parse = () => LoginCookies.given(input, at('https://a.example/'));
    expect(parse).toThrow(CookieInputError);
    expect(parse).toThrow(message);
    expect(parse).not.toThrow(/CANARY/);
  });

  it('may be as many and as long as the limits say, and no more', () => {
    const list = Array.from({ length: COOKIE_LIMITS.cookies }, (_, n) => ({
      name: `c${n}`,
      value: 'v',
    }));
    expect(of(...list).names).toHaveLength(COOKIE_LIMITS.cookies);
    const long = list.map(({ name }) => ({ name, value: 'v'.repeat(1_000) }));
    expect(() => of(...long)).toThrow('longer than 65536 bytes');
    const most = { name: 'a', value: 'v'.repeat(COOKIE_LIMITS.chars - 1) };
    expect(of(most).names).toEqual(['a']);
  });

  it('need an address where they say no host', () => {
    expect(() => LoginCookies.given('a=1', null)).toThrow('needs `url`');
    expect(() => LoginCookies.given([{ name: 'a', value: '1' }], null)).toThrow('needs a domain');
  });

  describe('change by what the site sets', () => {
    const site = at('https://a.example/x');
    it.each<[string, string, URL, string]>([
      ['a new value', 's=2; Secure', site, 's=2'],
      ['another cookie', 't=3', site, 's=1; t=3'],
      ['an end', 's=; Max-Age=0', site, ''],
      ['nothing malformed', ';;;', site, 's=1'],
      ['nothing of a foreign domain', 's=2; Domain=b.example', site, 's=1'],
      ['nothing of a public suffix', 's=2; Domain=example', site, 's=1'],
      ['nothing of another host', 's=2', at('https://b.example/'), 's=1'],
      ['nothing secure by http', 's=2', at('http://a.example/'), 's=1'],
      ['nothing too long', `s=${'2'.repeat(5_000)}`, site, 's=1'],
    ])('%s', (_, line, url, header) => {
      const cookies = of({ name: 's', value: '1', secure: true });
      expect(cookies.take(url, [line])).toBe(header === 's=1' ? null : 'values');
      expect(cookies.headerFor(site)).toBe(header);
    });

    it('in time alone where the values are the same', () => {
      const cookies = of({ name: 's', value: '1' });
      expect(cookies.take(site, ['s=1; Max-Age=60'])).toBe('times');
      expect(cookies.take(site, ['s=1; Path=/x'])).toBe('values');
    });

    it('up to a number and a length', () => {
      const cookies = of({ name: 's', value: '1' });
      const lines = Array.from({ length: 300 }, (_, n) => `n${n}=1`);
      for (let round = 0; round < 6; round++) cookies.take(site, lines.slice(50 * round));
      expect(cookies.names).toHaveLength(COOKIE_LIMITS.cookies);
      const long = lines.slice(0, 50).map((line) => `${line}${'v'.repeat(3_000)}`);
      expect(cookies.take(site, long)).toBeNull();
    });
  });

  it('are for their hosts alone', () => {
    expect(isOfHosts(at('https://w.a.example/'), ['.a.example'])).toBe(true);
    expect(isOfHosts(at('https://w.a.example/'), ['a.example'])).toBe(false);
    expect(isOfHosts(at('https://a.example:444/'), ['a.example'])).toBe(true);
  });
});
