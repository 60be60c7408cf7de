import { nextHop } from './redirect.js';

const request = {
  url: new URL('https://site.example/a'),
  method: 'GET',
  headers: { authorization: 'Bearer x', cookie: 'a=b', accept: 'text/html' },
  body: undefined,
} as const;

describe('the next hop of a redirect', () => {
  it.each([
    ['the same origin', 'https://site.example/b', ['authorization', 'cookie', 'accept']],
    ['another port', 'https://site.example:8443/b', ['accept']],
    ['another scheme', 'http://site.example/b', ['accept']],
    ['another host', 'https://www.site.example/b', ['accept']],
  ])('to %s carries the right headers', (_where, target, names) => {
    expect(Object.keys(nextHop(request, 302, new URL(target)).headers)).toEqual(names);
  });
});
