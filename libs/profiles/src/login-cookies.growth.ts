import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { CookieInputError, LoginCookies, siteNameOf } from './login-cookies.js';

const SITE = new URL('https://a.example/');

/** What a caller or a site may send of the worst: of more than its bound the rest is not read. */
function given(input: unknown): void {
  try {
    LoginCookies.given(input, SITE);
  } catch (error) {
    if (!(error instanceof CookieInputError)) throw error;
  }
}

const take = (lines: readonly string[]): unknown =>
  LoginCookies.given('s=1', SITE).take(SITE, lines);
const cookie = { name: 'a', value: '1' };

describe('time to read cookies', () => {
  it.each<[string, (input: never) => unknown, (n: number) => unknown]>([
    ['pairs of a text', given, (n) => 'a=1;'.repeat(n / 4)],
    ['separators of a text', given, (n) => ';'.repeat(n)],
    ['spaces of a text', given, (n) => ' '.repeat(n)],
    ['signs of a text', given, (n) => `a=${'='.repeat(n)}`],
    ['entries', given, (n) => Array.from({ length: n / 20 }, (_, at) => ({ ...cookie, name: `n${at}` }))],
    ['a name', given, (n) => [{ ...cookie, name: 'a'.repeat(n) }]],
    ['a value', given, (n) => [{ ...cookie, value: '"'.repeat(n) }]],
    ['labels of a domain', given, (n) => [{ ...cookie, domain: `${'a.'.repeat(n / 2)}b` }]],
    ['hyphens of a domain', given, (n) => [{ ...cookie, domain: `a${'-'.repeat(n)}` }]],
    ['a path', given, (n) => [{ ...cookie, path: '/'.repeat(n) }]],
    ['lines of a site', take, (n) => Array.from({ length: n / 20 }, (_, at) => `n${at}=1`)],
    ['attributes of a site', take, (n) => Array(50).fill(`a=1${';a=b'.repeat(n / 200)}`)],
    ['spaces of a site', take, (n) => Array(50).fill(`a=1${' '.repeat(n / 50)}x`)],
    ['labels of a host', siteNameOf, (n) => `${'a.'.repeat(n / 2)}example`],
  ])('is linear in %s', async (_, read, inputOf) => {
    const cost = cpuCost(inputOf, (input) => read(input as never));
    expect(await growthOf(cost, { upTo: 200_000 })).toBeLessThan(LINEAR_GROWTH);
  }); // prettier-ignore
});
