import fastify, { type FastifyInstance } from 'fastify';
import { OneTimeNotes } from './one-time-notes.js';

const PATH = '/dashboard/keys';
const COOKIE = /^(__Secure-)?trawl_note=([^;]*);/;

describe('a note that is shown once', () => {
  let server: FastifyInstance;
  afterEach(() => server.close());

  /** `x-session` selects the session. */
  const start = (isHttps = false): void => {
    const notes = new OneTimeNotes(isHttps, ({ headers }) =>
      String(headers['x-session'] ?? 'mine'),
    );
    server = fastify();
    server.post<{ Body: { text: string; lifeSeconds?: number } }>(PATH, async ({ body }, reply) => {
      const { text, lifeSeconds = 60 } = body;
      notes.leave(reply, { path: PATH, lifeSeconds }, { text });
      return reply.redirect(PATH, 303);
    });
    server.get(PATH, async (request, reply) => ({ note: notes.take(request, reply, PATH) }));
    server.get('/dashboard/other', async (request, reply) => ({
      note: notes.take(request, reply, '/dashboard/other'),
    }));
  };
  const leave = async (body: object): Promise<string> => {
    const answer = await server.inject({ method: 'POST', url: PATH, payload: body });
    return String(answer.headers['set-cookie'] ?? answer.statusCode);
  };
  const read = async (cookie: string, url = PATH, session = 'mine') => {
    const headers = { cookie: cookie.split(';')[0] ?? '', 'x-session': session };
    const answer = await server.inject({ url, headers });
    return { ...answer.json<{ note: unknown }>(), cookie: String(answer.headers['set-cookie']) };
  };

  it('is shown by its page, which removes it', async () => {
    start();
    const cookie = await leave({ text: 'trawl_live_secret' });
    expect(cookie).toMatch(/; Max-Age=60; Path=\/dashboard\/keys; HttpOnly; SameSite=Strict$/);
    const shown = await read(cookie);
    expect(shown.note).toEqual({ text: 'trawl_live_secret' });
    expect(shown.cookie).toMatch(/^trawl_note=; Max-Age=0; Path=\/dashboard\/keys;/);
  });

  it('cannot be read from its cookie', async () => {
    start();
    const [first, second] = [await leave({ text: 'secret' }), await leave({ text: 'secret' })];
    const [, , sealed = ''] = COOKIE.exec(first) ?? [];
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('secret');
    expect(second).not.toContain(sealed);
  });

  it('is a secure cookie over https', async () => {
    start(true);
    expect(await leave({ text: 'a' })).toMatch(/^__Secure-trawl_note=.*; Secure$/);
  });

  it('is invalid for another session, on another page, when changed, or when expired', async () => {
    start();
    const cookie = await leave({ text: 'a' });
    const changed = cookie.replace(/^(trawl_note=.{30})./, (_, kept: string) => `${kept}!`);
    expect((await read(cookie, PATH, 'other')).note).toBeNull();
    expect((await read(cookie, '/dashboard/other')).note).toBeNull();
    expect((await read(changed)).note).toBeNull();
    expect((await read(await leave({ text: 'a', lifeSeconds: -1 }))).note).toBeNull();
    for (const none of ['', 'trawl_note=', 'trawl_note=abc', `trawl_note=${'a'.repeat(9_000)}`])
      expect((await read(none)).note).toBeNull();
  });

  it('is rejected when it is too large for browsers', async () => {
    start();
    expect(await leave({ text: 'x'.repeat(2_500) })).toMatch(COOKIE);
    expect(await leave({ text: 'x'.repeat(4_000) })).toBe('500');
  });
});
