import { createClient, get } from '../test/client-fixture.js';
import { RawServer, redirect, responseOf } from '../test/raw-server.js';
import { rejection } from '../test/rejection.js';
import { ScriptedResolver } from '../test/scripted-resolver.js';
import { loadSsrfCases, type SsrfCase } from '../test/ssrf-cases.js';
import { TEST_CA, TEST_CERT, TEST_KEY } from '../test/tls-fixture.js';
import { BlockedUrlError, InvalidUrlError, ResolveError } from './egress-errors.js';
import { assertForwardableHeaders } from './forwardable-headers.js';
import { EgressGuard } from './guard.js';

const cases = loadSsrfCases();

/** Cases that this library cannot cover, and where they are covered. */
const COVERED_ELSEWHERE: Readonly<Record<string, string>> = {
  S350: 'a browser follows meta refresh; this client does not read HTML',
  S355: 'libs/fetch/src/robots',
  S356: 'libs/fetch/src/robots',
  S357: 'the map and crawl resources pass every sitemap through the client',
  S358: 'the map and crawl resources pass every sitemap through the client',
  S359: 'the crawl frontier parses every address through the guard',
  S360: 'the crawl frontier parses every address through the guard',
  S361: 'the crawl frontier parses every address through the guard',
  S362: 'brand analysis fetches through the client',
  S363: 'brand analysis fetches through the client',
  S365: 'brand analysis fetches through the client',
  S366: 'brand analysis fetches through the client',
  S376: 'the feeds resource parses webhook addresses through the guard',
  S379: 'the brand resource parses domains through the guard',
  S381: 'the resolve resource parses e-mail domains through the guard',
  S437: 'libs/fetch/src/content-use',
  S438: 'the map and crawl resources pass every feed and llms.txt through the client, as sitemaps',
};

/** Service surfaces that come down to one rule of this library. */
const SERVICE_CASES: ReadonlySet<string> = new Set(['S368', 'S370', 'S375', 'S382', 'S385']);

const isBrowser = ({ surface }: SsrfCase) => surface === 'browser';
const direct = cases.filter(({ surface }) => surface === undefined);
const redirects = cases.filter(({ surface }) => surface === 'redirect');
const headers = cases.filter(({ surface }) => surface === 'header');
const services = cases.filter(({ id }) => SERVICE_CASES.has(id));

const row = (one: SsrfCase) => [one.id, one.why, one] as const;

/** The guard's verdict on a URL, with as many tries as the case has answers. */
async function judge(one: SsrfCase): Promise<'allow' | 'block' | 'unresolved'> {
  const resolver = new ScriptedResolver(one.dns ?? {});
  const guard = new EgressGuard({ resolver });
  try {
    await guard.vet(guard.parse(one.url));
    return 'allow';
  } catch (error) {
    if (error instanceof ResolveError) return 'unresolved';
    if (error instanceof InvalidUrlError) return one.spec === 'invalid' ? 'block' : 'allow';
    if (error instanceof BlockedUrlError) return 'block';
    throw error;
  }
}

/** Names with changing answers: only vetted answers may ever be dialled. */
const REBINDING = new Set(['S231', 'S232']);
const plain = direct.filter(({ id }) => !REBINDING.has(id));

describe('a URL given directly', () => {
  it.each(plain.map(row))('%s: %s', async (_id, _why, one) => {
    // Refusing credentials and backslash bait is the stricter policy that the list permits.
    const stricter = one.optional === true && ['S279'].includes(one.id);
    expect(await judge(one)).toBe(stricter ? 'block' : one.expect);
  });

  it.each(plain.filter(({ expect: expected }) => expected === 'block').map(row))(
    '%s never asks a resolver for an address it may not use: %s',
    async (_id, _why, one) => {
      const resolver = new ScriptedResolver(one.dns ?? {});
      const guard = new EgressGuard({ resolver });
      await expect(Promise.resolve().then(() => guard.vet(guard.parse(one.url)))).rejects.toThrow(
        /URL/,
      );
      if (one.dns === undefined || one.group === 'metadata') expect(resolver.asked).toEqual([]);
    },
  );

  it('S231: a rebinding name is dialled at the vetted answer only, and refused when asked again', async () => {
    const resolver = new ScriptedResolver({ 'rebind.example': [['93.184.216.34'], ['127.0.0.1']] });
    const guard = new EgressGuard({ resolver });
    const url = guard.parse('http://rebind.example/');
    await expect(guard.vet(url)).resolves.toMatchObject({ addresses: ['93.184.216.34'] });
    await rejection(guard.vet(url), BlockedUrlError);
  });

  it('S232: a name that answers nothing and then loopback is never dialled', async () => {
    const resolver = new ScriptedResolver({ 'rebind2.example': [[], ['127.0.0.1']] });
    const guard = new EgressGuard({ resolver });
    const url = guard.parse('http://rebind2.example/');
    await rejection(guard.vet(url), ResolveError);
    await rejection(guard.vet(url), BlockedUrlError);
  });
});

describe('a redirect', () => {
  const blocked = redirects.filter(({ expect: expected }) => expected === 'block');

  it.each(blocked.map(row))('%s: %s', async (_id, _why, one) => {
    const { status = 302, location = one.url } = one.response ?? {};
    const site = await RawServer.start((socket) => socket.write(redirect(location, status)));
    const { client, denied } = createClient([site.port], {}, { 'rebind.example': ['10.0.0.1'] });
    try {
      const error = await rejection(
        client.fetch(get(`http://site.example:${site.port}/r`)),
        BlockedUrlError,
      );
      expect(error.message).not.toContain('10.0.0.1');
      expect(denied).toEqual([location === 'http://rebind.example/' ? 'dns' : 'redirect']);
      expect(site.heads).toHaveLength(1);
    } finally {
      await client.close();
      await site.close();
    }
  });

  it('S354: from http to https on the same public host is followed', async () => {
    const tls = { key: TEST_KEY, cert: TEST_CERT };
    const secure = await RawServer.start((socket) => socket.write(responseOf('final')), { tls });
    const site = await RawServer.start((socket) =>
      socket.write(redirect(`https://site.example:${secure.port}/final`, 301)),
    );
    const { client } = createClient([site.port, secure.port], { ca: [TEST_CA] });
    try {
      const response = await client.fetch(get(`http://site.example:${site.port}/up`));
      expect(response.url).toBe(`https://site.example:${secure.port}/final`);
      expect(Buffer.from(response.body).toString()).toBe('final');
    } finally {
      await client.close();
      await secure.close();
      await site.close();
    }
  });
});

describe('other ways in', () => {
  it.each(headers.map(row))('%s: %s', async (_id, _why, one) => {
    const site = await RawServer.start((socket) =>
      socket.write(
        responseOf('page', { Link: `<${one.url}>; rel=preload`, 'Alt-Svc': 'h3="127.0.0.1:443"' }),
      ),
    );
    const { client, resolver } = createClient([site.port]);
    await client.fetch(get(`http://site.example:${site.port}/link`));
    expect(resolver.asked).toEqual(['site.example']);
    expect(site.connections).toBe(1);
    await client.close();
    await site.close();
  });

  it.each(['S368', 'S370'])('%s: an address given to a resource is refused by parse', () => {
    expect(() => new EgressGuard().parse('http://127.0.0.1/')).toThrow(
      'Blocked URL: http://127.0.0.1/',
    );
  });

  it('S375: a delivery without redirects returns the 302 as it is', async () => {
    const site = await RawServer.start((socket) => socket.write(redirect('http://127.0.0.1/')));
    const { client } = createClient([site.port]);
    const url = `http://site.example:${site.port}/hook`;
    const response = await client.fetch(get(url, { method: 'POST', body: '{}', maxRedirects: 0 }));
    expect([response.status, response.redirects]).toEqual([302, []]);
    await client.close();
    await site.close();
  });

  it('S382: a Host header of the caller is refused', () => {
    expect(() => assertForwardableHeaders({ Host: '127.0.0.1' })).toThrow('Host');
  });

  it('S385: a host that turned private is refused at the next dial', async () => {
    const resolver = new ScriptedResolver({ 'later.example': [['93.184.216.34'], ['127.0.0.1']] });
    const guard = new EgressGuard({ resolver });
    const url = guard.parse('http://later.example/');
    await guard.vet(url);
    await rejection(guard.vet(url), BlockedUrlError);
  });
});

describe('the list', () => {
  it('has every case covered here, or a place where it is', () => {
    const covered = [...direct, ...redirects, ...headers, ...services].map(({ id }) => id);
    const browser = cases.filter(isBrowser).map(({ id }) => id);
    const all = [...covered, ...browser, ...Object.keys(COVERED_ELSEWHERE)];
    expect(all.toSorted()).toEqual(cases.map(({ id }) => id).toSorted());
  });
});
