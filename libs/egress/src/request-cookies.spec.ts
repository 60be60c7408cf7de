import { RequestCookies } from './request-cookies.js';

const sentTo = (first: string, url: string) =>
  new RequestCookies(new URL(first), 'a=1; a=2; bare').headerFor(new URL(url));

it.each([
  ['http://a.example/', 'http://a.example/other'],
  ['http://a.example/', 'https://a.example/'],
  ['https://a.example:8443/', 'https://a.example:8443/'],
])("sends the caller's cookies as written: first %s, then %s", (first, url) => {
  expect(sentTo(first, url)).toBe('a=1; a=2; bare');
});

it.each([
  ['https://a.example/', 'http://a.example/'],
  ['http://a.example/', 'https://a.example:8443/'],
  ['http://a.example:8080/', 'https://a.example/'],
  ['http://a.example/', 'https://www.a.example/'],
  ['http://a.example/', 'https://b.example/'],
])('keeps them from elsewhere: first %s, then %s', (first, url) => {
  expect(sentTo(first, url)).toBe('');
});

it('lets the site replace every cookie of the name', () => {
  const url = new URL('https://a.example/');
  const cookies = new RequestCookies(url, 'a=1; b=2; a=3');
  cookies.take(url, ['a=9', 'c=4; Path=/deep']);
  expect(cookies.headerFor(url)).toBe('b=2; a=9');
  expect(cookies.headerFor(new URL('/deep/er', url))).toBe('b=2; c=4; a=9');
});
