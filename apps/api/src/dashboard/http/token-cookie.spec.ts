import type { FastifyReply, FastifyRequest } from 'fastify';
import { TokenCookie } from './token-cookie.js';

const TOKEN = 'a'.repeat(43);

function setBy(isHttps: boolean): string {
  const headers: string[] = [];
  const reply = { header: (_name: string, value: string) => headers.push(value) };
  new TokenCookie('session', isHttps).set(reply as unknown as FastifyReply, TOKEN);
  return headers.join();
}

const read = (cookie: string | undefined, isHttps = false): string | null =>
  new TokenCookie('session', isHttps).read({ headers: { cookie } } as FastifyRequest);

describe('the session cookie', () => {
  it('is bound to this host and to https if available', () => {
    expect(setBy(true)).toBe(
      `__Host-trawl_session=${TOKEN}; Path=/; HttpOnly; SameSite=Strict; Secure`,
    );
    expect(setBy(false)).toBe(`trawl_session=${TOKEN}; Path=/; HttpOnly; SameSite=Strict`);
  });

  it.each([
    [`trawl_session=${TOKEN}`, TOKEN],
    [`a=b; trawl_session=${TOKEN}; c=d`, TOKEN],
    [`trawl_session=${TOKEN}a`, null],
    ['trawl_session=', null],
    [`xtrawl_session=${TOKEN}`, null],
    [`trawl_session=${'*'.repeat(43)}`, null],
    ['', null],
    [undefined, null],
  ])('is read from %j', (cookie, expected) => {
    expect(read(cookie)).toBe(expected);
  });

  it('set over http is ignored if the service uses https', () => {
    expect(read(`trawl_session=${TOKEN}`, true)).toBeNull();
  });
});
