import { Deadline } from '@app/contracts';
import { BlockedUrlError, HttpFetchError, type HttpRequest, type HttpResponse } from '@app/egress';
import { MAX_USE_FILE_BYTES, UseFiles } from './use-files.js';

type Outcome = Partial<HttpResponse> | Error;

const respond = (body: string, over: Partial<HttpResponse> = {}): Partial<HttpResponse> => ({
  ...{ status: 200, body: new Uint8Array(Buffer.from(body)), truncation: null },
  ...over,
});

class Fixture {
  readonly requests: HttpRequest[] = [];
  nowMs = 0;
  readonly files = new UseFiles({
    http: {
      fetch: async (request: HttpRequest) => {
        this.requests.push(request);
        const outcome = this.outcome;
        if (outcome instanceof Error) throw outcome;
        return outcome as HttpResponse;
      },
    },
    unreachableTtlMs: 5_000,
    now: () => this.nowMs,
  });

  constructor(public outcome: Outcome) {}

  tdm(url = 'https://a.example/x') {
    return this.files.tdm(new URL(url), { deadline: Deadline.after(60_000) });
  }

  license(url = 'https://a.example/rsl.xml', page = 'https://a.example/x') {
    return this.files.license(url, new URL(page), { deadline: Deadline.after(60_000) });
  }
}

const RESERVED = '[{"location": "/", "tdm-reservation": 1}]';
const PROHIBITED =
  '<rsl><content url="/"><license><prohibits type="usage">all</prohibits></license></content></rsl>';

describe('tdmrep.json', () => {
  it('is fetched once for all pages of its origin', async () => {
    const fixture = new Fixture(respond(RESERVED));
    const uses = await Promise.all([fixture.tdm(), fixture.tdm('https://a.example/y')]);
    expect(uses).toMatchObject([{ aiTrain: false }, { aiTrain: false }]);
    await fixture.tdm('https://a.example:8443/');
    expect(fixture.requests.map(({ url }) => url)).toEqual([
      'https://a.example/.well-known/tdmrep.json',
      'https://a.example:8443/.well-known/tdmrep.json',
    ]);
    expect(fixture.requests[0]).toMatchObject({ maxBytes: MAX_USE_FILE_BYTES, maxRedirects: 5 });
  });

  it('says the same where another site names it as its licence', async () => {
    const fixture = new Fixture(respond(RESERVED));
    await fixture.license('https://a.example/.well-known/tdmrep.json', 'https://b.example/');
    expect(await fixture.tdm()).toMatchObject({ aiTrain: false });
  });

  it('is fetched anew after an hour', async () => {
    const fixture = new Fixture(respond(RESERVED));
    await fixture.tdm();
    fixture.outcome = respond('[]');
    fixture.nowMs = 3_599_999;
    expect(await fixture.tdm()).toMatchObject({ aiTrain: false });
    fixture.nowMs = 3_600_000;
    expect(await fixture.tdm()).toBeUndefined();
  });

  it.each<[string, Outcome]>([
    ['404', respond(RESERVED, { status: 404 })],
    ['503', respond(RESERVED, { status: 503 })],
    ['a timeout', new HttpFetchError('timeout', 'deadline')],
    ['a redirect to a private address', new BlockedUrlError('redirect', 'http://10.0.0.1/')],
    ['a page', respond('<!doctype html><title>Not found</title>')],
    ['a file that is cut', respond(RESERVED.slice(0, 20), { truncation: 'byte_cap' })],
  ])('that ends as %s reserves nothing', async (_, outcome) => {
    expect(await new Fixture(outcome).tdm()).toBeUndefined();
  });
});

describe('an RSL document', () => {
  it('is fetched once for all sites that name it', async () => {
    const fixture = new Fixture(respond(PROHIBITED));
    const uses = await Promise.all([
      fixture.license('https://l.example/royalty.xml'),
      fixture.license('https://l.example/royalty.xml', 'https://b.example/'),
    ]);
    expect(uses).toMatchObject([
      { kind: 'read', declared: { aiTrain: false, license: 'https://l.example/royalty.xml' } },
      { kind: 'read', declared: { search: false } },
    ]);
    expect(fixture.requests).toHaveLength(1);
  });

  it.each<[string, Outcome]>([
    ['missing', respond(PROHIBITED, { status: 404 })],
    ['at a private address', new BlockedUrlError('dns', 'http://10.0.0.1/')],
    ['behind redirects without an end', new HttpFetchError('http_error', 'redirect_loop')],
    ['a page', respond('<!doctype html><title>Terms</title>')],
  ])('that is %s has no terms', async (_, outcome) => {
    expect(await new Fixture(outcome).license()).toEqual({ kind: 'read', declared: undefined });
  });

  it.each<[string, Outcome, object]>([
    ['503', respond('', { status: 503 }), { errorClass: 'http_error', statusCode: 503 }],
    ['429', respond('', { status: 429 }), { errorClass: 'http_error', statusCode: 429 }],
    ['a timeout', new HttpFetchError('timeout', 'deadline'), { errorClass: 'timeout' }],
    ['half', respond(PROHIBITED.slice(0, 30), { truncation: 'stream_end' }), { errorClass: 'network' }],
  ])('that ends as %s may have terms, and is soon fetched again', async (_, outcome, failure) => {
    const fixture = new Fixture(outcome);
    expect(await fixture.license()).toMatchObject({ kind: 'unreachable', failure });
    fixture.outcome = respond(PROHIBITED);
    fixture.nowMs = 4_999;
    expect(await fixture.license()).toMatchObject({ kind: 'unreachable' });
    fixture.nowMs = 5_000;
    expect(await fixture.license()).toMatchObject({ kind: 'read', declared: { aiTrain: false } });
  }); // prettier-ignore
});
