import { ApiError } from '@app/contracts';
import { parseCheckout } from './billing.service.js';

const OK = {
  plan: 'pro',
  successUrl: 'https://app.example/ok',
  cancelUrl: 'https://app.example/no',
};

/** The error's text, or the parsed checkout. */
function parse(body: object, redirectOrigins = ''): unknown {
  try {
    return parseCheckout(body, { redirectOrigins, publicUrl: 'http://127.0.0.1:3000/trawl' });
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).row.status).toBe(400);
    return (error as Error).message;
  }
}

const REDIRECT = 'successUrl/cancelUrl must be an allowed http(s) URL';

describe('a checkout', () => {
  it.each([
    ['hobby', 'hobby'],
    ['pro', 'pro'],
    ['scale', 'scale'],
    ['starter', 'hobby'],
    ['business', 'scale'],
  ])('of %s is one of %s', (plan, sold) => {
    expect(parse({ ...OK, plan })).toEqual({ ...OK, plan: sold });
  });

  it.each<[object, string]>([
    [{}, '`plan` is required'],
    [{ plan: '', successUrl: 'x' }, '`plan` is required'],
    [{ plan: null }, '`plan` is required'],
    [{ plan: 'none' }, '`successUrl` is required'],
    [{ plan: 'pro', cancelUrl: 'x' }, '`successUrl` is required'],
    [{ plan: 'none', successUrl: 'x' }, '`cancelUrl` is required'],
    [{ ...OK, plan: 5 }, '`plan` must be a string'],
    [{ ...OK, successUrl: ['https://app.example'] }, '`successUrl` must be a string'],
    [{ ...OK, plan: 'none', cancelUrl: 'x' }, REDIRECT],
    [{ ...OK, plan: 'none' }, 'Unknown plan: none'],
    [{ ...OK, plan: 'free' }, 'Unknown plan: free'],
    [{ ...OK, plan: 'custom' }, 'Unknown plan: custom'],
    [{ ...OK, plan: 'enterprise' }, 'Unknown plan: enterprise'],
    [{ ...OK, plan: 'toString' }, 'Unknown plan: toString'],
    [{ ...OK, plan: 'x'.repeat(5_000) }, `Unknown plan: ${'x'.repeat(100)}`],
  ])('with %j is refused', (body, text) => {
    expect(parse(body)).toBe(text);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://app.example/',
    '/paid',
    'app.example',
    'https://',
    'https://user:secret@app.example/',
    `https://app.example/${'x'.repeat(2_048)}`,
  ])('rejects the redirect %s', (url) => {
    expect(parse({ ...OK, successUrl: url })).toBe(REDIRECT);
    expect(parse({ ...OK, cancelUrl: url })).toBe(REDIRECT);
  });

  it('allows any redirect without an allowlist', () => {
    expect(parse({ ...OK, cancelUrl: 'http://127.0.0.1:3000/' })).toMatchObject({ plan: 'pro' });
  });

  it.each([
    ['https://app.example/paid?x=1', true],
    ['HTTPS://APP.example:443/paid', true],
    ['http://app.example/paid', false],
    ['https://app.example:8443/paid', false],
    ['https://app.example.evil.test/paid', false],
    ['https://evil.test/https://app.example', false],
    ['https://app.example@evil.test/', false],
    ['https:\\\\evil.test\\@app.example', false],
  ])('with an allowlist allows %s: %s', (url, isAllowed) => {
    const origins = 'https://app.example, https://other.example';
    const isTaken = parse({ ...OK, successUrl: url }, origins) !== REDIRECT;
    expect(isTaken).toBe(isAllowed);
  });

  it.each([
    ['http://127.0.0.1:3000/dashboard/plan', true],
    ['http://127.0.0.1:3001/dashboard/plan', false],
    ['https://127.0.0.1:3000/dashboard/plan', false],
  ])('with an allowlist of other origins still allows our own pages: %s: %s', (url, isAllowed) => {
    const isTaken = parse({ ...OK, cancelUrl: url }, 'https://app.example') !== REDIRECT;
    expect(isTaken).toBe(isAllowed);
  });

  it('keeps the placeholder of the session in a URL', () => {
    const url = 'https://app.example/{CHECKOUT_SESSION_ID}/x?s={CHECKOUT_SESSION_ID}&p={other}';
    expect(parse({ ...OK, successUrl: url })).toMatchObject({ successUrl: url });
  });
});
