import { startTestApi, type StartedApi } from '../../../test/started-api.js';

const ID = '018f0000-0000-7000-8000-000000000009';
const PROVISION = '/v1/keys/provision';
const LONG = 'x'.repeat(101);
const NO_IDEMPOTENCY_KEY = 'This endpoint takes no `Idempotency-Key`';

/** Requests that are rejected before the database is queried: the fake one has no results. */
describe('the keys of an account', () => {
  let api: StartedApi;

  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.stop());

  const post = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${api.url}${path}`, { method: 'POST', ...init });
    return { status: answer.status, body: (await answer.json()) as { error: string } };
  };

  it.each<[string, string, unknown, string]>([
    ['/v1/keys', 'no label', {}, '`label` is required'],
    ['/v1/keys', 'an empty label', { label: '' }, '`label` is empty'],
    ['/v1/keys', 'a number', { label: 7 }, '`label` must be a string'],
    ['/v1/keys', 'a long label', { label: LONG }, '`label` is longer than 100 characters'],
    ['/v1/keys', 'a NUL', { label: 'a\0' }, '`label` holds control characters'],
    ['/v1/keys', 'an escape', { label: '\u001b[2J' }, '`label` holds control characters'],
    ['/v1/keys', 'half a pair', { label: '\ud800' }, '`label` holds characters that cannot be'],
    ['/v1/keys', 'another field', { label: 'a', plan: 'pro' }, 'Unknown field `plan`'],
    ['/v1/keys', 'nothing', '', 'Invalid JSON body'],
    [`/v1/keys/${ID}/rotate`, 'a fraction', { overlapSeconds: 1.5 }, '`overlapSeconds` must be'],
    [`/v1/keys/${ID}/rotate`, 'below 0', { overlapSeconds: -1 }, 'must be at least 0'],
    [`/v1/keys/${ID}/rotate`, 'over 7 days', { overlapSeconds: 604_801 }, 'at most 604800'],
    [`/v1/keys/${ID}/rotate`, 'an array', [], 'Invalid JSON body'],
    [PROVISION, 'a long label', { label: LONG }, '`label` is longer than 100 characters'],
    [PROVISION, 'no e-mail address', { email: 'me' }, '`email` must be an e-mail address'],
    [PROVISION, 'two addresses', { email: 'a@b.de,c@d.de' }, '`email` must be an e-mail address'],
    [PROVISION, 'a new line', { email: 'a@b.de\nBcc: x' }, '`email` must be an e-mail address'],
    [PROVISION, 'another field', { plan: 'pro' }, 'Unknown field `plan`'],
    [PROVISION, 'null', 'null', 'Invalid JSON body'],
  ])('POST %s refuses %s', async (path, _, body, error) => {
    const answer = await api.client.call('POST', path, body);
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(error) } });
  });

  it.each(['/v1/keys', `/v1/keys/${ID}/rotate`, PROVISION])(
    'POST %s accepts no Idempotency-Key, since its response is not stored',
    async (path) => {
      const headers = { 'x-api-key': api.key, 'idempotency-key': 'k' };
      expect(await post(path, { headers })).toEqual({
        status: 400,
        body: { error: NO_IDEMPOTENCY_KEY },
      });
    },
  );

  it('rejects another type of body', async () => {
    const answer = await post(PROVISION, { body: 'x', headers: { 'content-type': 'text/plain' } });
    expect(answer.status).toBe(415);
  });

  it.each([
    ['POST', `/v1/keys/nonsense/rotate`],
    ['DELETE', '/v1/keys/nonsense'],
  ])('%s %s is an unknown key', async (method, path) => {
    expect(await api.client.call(method, path)).toMatchObject({
      status: 404,
      body: { error: 'Key not found', hint: expect.any(String) },
    });
  });

  it.each([
    ['GET', PROVISION],
    ['DELETE', PROVISION],
    ['POST', '/v1/keys'],
    ['POST', `/v1/keys/provision/rotate`],
    ['POST', '/v1/keys/provision/x'],
    ['POST', '/v1/keys/provision2'],
    ['POST', '/v1/scrape?/v1/keys/provision'],
    ['POST', '/v1/scrape;/v1/keys/provision'],
  ])('only the route itself is open, not %s %s', async (method, path) => {
    const answer = await fetch(`${api.url}${path}`, { method });
    expect([answer.status, await answer.json()]).toEqual([
      401,
      { error: 'API key required. Pass via x-api-key header.', hint: expect.any(String) },
    ]);
  });

  it.each([PROVISION, `${PROVISION}/`, '/v1/keys/%70rovision', `${PROVISION}?a=1`])(
    'is open at POST %s',
    async (path) => {
      // Reaches the database, which is not available.
      expect(await post(path)).toEqual({
        status: 503,
        body: { error: 'Auth backend not configured.' },
      });
    },
  );
});

it('self-serve keys can be switched off', async () => {
  const api = await startTestApi({ settings: { provisionPerIpPerDay: 0 } });
  try {
    const answer = await fetch(`${api.url}${PROVISION}`, { method: 'POST' });
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { error: 'Self-serve keys are disabled. Request a key from the operator.' },
    ]);
  } finally {
    await api.stop();
  }
});
