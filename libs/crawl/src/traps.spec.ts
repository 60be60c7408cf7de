import fc from 'fast-check';
import { trapSign } from './traps.js';

const YEAR = 2026;
const signOf = (path: string) => trapSign(new URL(path, 'http://a.example'), YEAR);
const kindOf = (path: string) => signOf(path)?.shape.split(' ')[0] ?? null;

describe('signs of a trap', () => {
  it.each<[string, string]>([
    ['/a/b/a/b/a/b', 'repeat'],
    ['/docs/docs/docs/', 'repeat'],
    ['/x/a/b/c/a/b/c/a/b/c/y', 'repeat'],
    ['/a/1/a/2/a/3/a', 'repeat'],
    [`/${Array.from({ length: 21 }, (_, n) => `s${n}x`).join('/')}`, 'deep'],
    ['/list?a=1&b=1&c=1&d=1&e=1&f=1&g=1&h=1&i=1', 'parameters'],
    ['/list?tag=a&tag=b&tag=c&tag=d', 'parameters'],
    ['/list?tag[0]=a&tag[1]=b&tag[2]=c&tag[3]=d', 'parameters'],
    ['/x?mysession=0a1b2c3d4e5f60718293', 'session'],
    ['/x?csrf_token=0a1b2c3d4e5f60718293', 'session'],
    ['/calendar?date=2026-05', 'date'],
    ['/calendar?day=20260517', 'date'],
    ['/calendar?year=2026&month=5', 'date'],
    ['/calendar?date=2028-01', 'farDate'],
    ['/calendar?date=1995-12', 'farDate'],
    ['/calendar?year=1843', 'farDate'],
    ['/calendar/2026/5', 'date'],
    ['/calendar/2027/12/31', 'date'],
    ['/calendar/2028/1', 'farDate'],
    ['/calendar/31337/1', 'farDate'],
    ['/2026/05/', 'date'],
    ['/2031/05/17', 'farDate'],
    ['/events/2031-05-17', 'farDate'],
    ['/list?page=10001', 'farPage'],
  ])('%s shows the sign %s', (path, kind) => {
    expect(kindOf(path)).toBe(kind);
  });

  it.each([
    '/',
    '/product/12345',
    '/product/12345?color=red&size=9',
    '/docs/api/docs/usage',
    '/a/b/a/b',
    '/1/1/1/1',
    '/topic/1950/2',
    '/topic/12345/12',
    '/2024/05/17/what-happened',
    '/cars?year=2015',
    '/list?page=10000',
    '/search?q=2031-05x',
    '/item?token=short',
    '/list?tag=a&tag=b&tag=c',
    '/list?a=1&b=1&c=1&d=1&e=1&f=1&g=1&h=1',
    `/${Array.from({ length: 20 }, (_, n) => `s${n}x`).join('/')}`,
  ])('%s shows none', (path) => {
    expect(signOf(path)).toBeNull();
  });

  it.each<[string, readonly string[]]>([
    ['folders that grow', ['/a/b/a/b/a/b', '/a/b/a/b/a/b/a/b/a/b', '/b/a/b/a/b/a']],
    ['months of a calendar', ['/calendar/2040/1', '/calendar/2099/12', '/calendar/31337/3']],
    ['months in a query', ['/cal?m=1&date=2040-01', '/cal?date=2099-12&m=2']],
    [
      'parameters whose names grow',
      ['/l?a=1&b=1&c=1&d=1&e=1&f=1&g=1&h=1&i=1', '/l?j=1&k=1&l=1&m=1&n=1&o=1&p=1&q=1&r=1&s=1&t=1'],
    ],
    ['tokens', ['/x?csrf=0a1b2c3d4e5f60718293', '/x?csrf=ffffffffffffffffffff0']],
  ])('counts %s together', (_, paths) => {
    expect(new Set(paths.map((path) => signOf(path)?.shape)).size).toBe(1);
  });

  it.each<[string, string, string]>([
    ['calendars', '/rooms/calendar/2040/1', '/staff/calendar/2040/1'],
    ['years near and far', '/calendar/2026/1', '/calendar/2040/1'],
    ['hosts', '/calendar/2026/1', 'http://b.example/calendar/2026/1'],
  ])('distinguishes %s', (_, a, b) => {
    expect(signOf(a)?.shape).not.toBe(signOf(b)?.shape);
  });

  it('leaves a shop of a hundred thousand products alone', () => {
    const products = Array.from({ length: 100_000 }, (_, n) => `/product/${n}`);
    expect(products.filter((path) => signOf(path) !== null)).toEqual([]);
  });

  it('reads any address, at a bounded length, the same each time', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (text) => {
        const sign = trapSign(new URL(text), YEAR);
        expect((sign?.shape ?? '').length).toBeLessThanOrEqual(300);
        expect(trapSign(new URL(text), YEAR)).toEqual(sign);
      }),
    );
  });

  it('names a shape that a database can store', () => {
    expect(signOf('/x?%00date=2031-05&date=2031-05')?.shape).not.toContain('\0');
  });

  it('reads the longest address in no time', () => {
    const worst = [`/${'a/'.repeat(1_020)}`, `/x?${'a=1&'.repeat(510)}`, `/${'1'.repeat(2_040)}`];
    // Of the processor, which others may have for longer.
    const before = process.cpuUsage();
    for (let n = 0; n < 100; n++) for (const path of worst) signOf(path);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(3_000);
  });
});
