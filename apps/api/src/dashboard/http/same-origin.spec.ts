import type { FastifyRequest } from 'fastify';
import { isFromOurPages } from './signed-in.js';

const OURS = 'https://trawl.example';

describe('the origin of a form', () => {
  it.each([
    ['that of PUBLIC_URL', OURS, 'internal:3000', true],
    ['the requested host', 'http://127.0.0.1:3000', '127.0.0.1:3000', true],
    ['another site', 'https://evil.example', 'trawl.example', false],
    ['another port', 'http://127.0.0.1:3001', '127.0.0.1:3000', false],
    ['a site with the same prefix', 'https://trawl.example.evil.example', 'x', false],
    ['our site without encryption', 'http://trawl.example', 'internal:3000', false],
    ['a page without an origin', 'null', 'trawl.example', false],
    ['nothing', undefined, 'trawl.example', false],
  ])('is %s', (_name, origin, host, expected) => {
    const request = { headers: { origin, host } } as unknown as FastifyRequest;
    expect(isFromOurPages(request, OURS)).toBe(expected);
  });
});
