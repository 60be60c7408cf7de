import { startTestApi, type StartedApi } from '../../../test/started-api.js';

interface HintedError {
  readonly status: number;
  readonly error: unknown;
  readonly hint: unknown;
}

describe('an error says what to do', () => {
  let api: StartedApi;
  beforeAll(async () => {
    api = await startTestApi();
  });
  afterAll(() => api.stop());

  const refused = async (method: string, path: string, body?: unknown): Promise<HintedError> => {
    const { status, body: told } = await api.client.call(method, path, body);
    const { error, hint } = told as { readonly error: unknown; readonly hint: unknown };
    return { status, error, hint };
  };

  it.each<[string, object, string, string]>([
    [
      'an address without a scheme',
      { url: 'example.com' },
      'Invalid URL',
      'Did you mean https://example.com/?',
    ],
    [
      'a misspelt scheme',
      { url: 'htp://example.com/' },
      'Blocked URL: htp://example.com/',
      'Did you mean http://example.com/?',
    ],
    [
      'a private address',
      { url: 'http://10.0.0.1:8080/' },
      'Blocked URL: http://10.0.0.1:8080/',
      'FETCH_ALLOW_PRIVATE=10.0.0.1/32:8080',
    ],
    ['no URL', {}, '`url` is required', 'Add the field `url`'],
    [
      'an unknown field beside a missing one',
      { ulr: 'https://a.example/' },
      '`url` is required',
      'Unknown field `ulr`: did you mean `url`?',
    ],
    ['a number as a URL', { url: 5 }, 'Invalid URL', '`url` must be a string'],
    [
      'a misspelt field',
      { url: 'https://a.example/', format: ['links'] },
      'Unknown field `format`. See /openapi.json for the fields of this endpoint.',
      'Did you mean `formats`?',
    ],
    [
      'a quoted boolean',
      { url: 'https://a.example/', includeHtml: 'true' },
      '`includeHtml` must be true or false',
      'without quotes: {"includeHtml": true}',
    ],
    [
      'a text instead of a list',
      { url: 'https://a.example/', formats: 'links' },
      '`formats` must be an array',
      '{"formats": ["links"]}',
    ],
    [
      'two mistakes',
      { url: 'https://a.example/', formats: [], maxAge: -1 },
      '`formats` is empty',
      '`maxAge` must be at least 0',
    ],
  ])('to %s', async (_name, body, error, hint) => {
    const told = await refused('POST', '/v1/scrape', body);
    expect(told.status).toBe(400);
    expect(told.error).toEqual(expect.stringContaining(error));
    expect(told.hint).toEqual(expect.stringContaining(hint));
  });

  it('never how to allow an instance metadata address', async () => {
    const told = await refused('POST', '/v1/scrape', { url: 'http://169.254.169.254/' });
    expect(told).toMatchObject({ status: 400, error: 'Blocked URL: http://169.254.169.254/' });
    expect(told.hint).toEqual(expect.not.stringContaining('FETCH_ALLOW_PRIVATE'));
  });

  it.each<[string, string, number]>([
    ['PUT', '/v1/scrape', 405],
    ['GET', '/v1/nothing', 404],
    ['GET', '/v1/jobs/none', 404],
  ])('to %s %s', async (method, path, status) => {
    const told = await refused(method, path);
    expect(told).toMatchObject({ status, hint: expect.stringMatching(/./) });
  });

  it('once, when agents get a suggested fix', async () => {
    const headers = {
      'x-api-key': api.key,
      'content-type': 'application/json',
      'x-error-format': 'agent',
    };
    const send = async (body: object): Promise<object> => {
      const answer = await fetch(`${api.url}/v1/scrape`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return (await answer.json()) as object;
    };
    expect(await send({})).not.toHaveProperty('hint');
    expect(await send({ url: 'example.com' })).toHaveProperty('hint');
  });

  it('quickly for a million unknown names or one of a million characters', async () => {
    const names = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`field${n}`, n]));
    const many = await refused('POST', '/v1/scrape', names);
    expect(String(many.hint).length).toBeLessThan(500);
    const long = await refused('POST', '/v1/scrape', {
      url: 'https://a.example/',
      ['x'.repeat(50_000)]: 1,
    });
    expect(String(long.error).length).toBeLessThan(200);
  });
});
