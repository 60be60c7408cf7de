import { generateKeyPairSync } from 'node:crypto';
import { loadSettings } from '@app/config';
import { Deadline } from '@app/contracts';
import { botIdentityOf } from '@app/egress';
import { RobotsCache, UseFiles } from '@app/fetch';
import { RobotsGate, SitemapFetcher, SiteUses } from '@app/scrape';
import { Health, Metrics } from '@app/telemetry';
import { SiteServer, type SiteRequest } from '@app/testing';
import { botKeyId } from '../../../../libs/egress/test/verify-bot.js';
import { fetchRequest } from '../../../../libs/fetch/test/fetch-request.js';
import { openOutbound, type Outbound } from './open-outbound.js';

type Ports = Parameters<typeof openOutbound>[0];

const NAMES = ['signature', 'signature-agent', 'signature-input'];
const KEYS = generateKeyPairSync('ed25519')
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

describe('the requests of a fetcher', () => {
  const opened: Outbound[] = [];
  let site: SiteServer;
  let logged: string[];

  beforeAll(async () => {
    site = await SiteServer.start(({ response }) => void response.end('text'));
  });
  beforeEach(() => {
    site.reset();
    logged = [];
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });
  afterAll(() => site.close());

  /** Everything that leaves a fetcher with these settings, without browsers. */
  async function open(env: Readonly<Record<string, string>>): Promise<Outbound> {
    const settings = loadSettings({
      ...{ TRAWL_BROWSER: 'none', FETCH_ALLOW_PRIVATE: `127.0.0.1/32:${site.port}` },
      HOSTED_CRAWLER_URL: site.url('/hosted'),
      ...env,
    });
    const log = (...parts: unknown[]): void => void logged.push(JSON.stringify(parts));
    const ports = {
      ...{ settings, metrics: new Metrics(), health: new Health(), database: {} },
      log: { info: log, warn: log, error: log, debug: log },
    } as unknown as Ports;
    const outbound = await openOutbound(
      ports,
      {} as Parameters<typeof openOutbound>[1],
      async () => false,
    );
    opened.push(outbound);
    return outbound;
  }

  /** A page, robots.txt, a sitemap, and what is sent to an address of the operator. */
  async function sendAll({ rungs, http, endpointClient }: Outbound): Promise<void> {
    const deadline = Deadline.after(60_000);
    const rung = (name: string) => rungs.find(({ fetchMethod }) => fetchMethod === name);
    await rung('plain')?.fetch(fetchRequest(site.url('/page')));
    await rung('hosted_crawler')?.fetch(fetchRequest(site.url('/page')));
    const robots = new RobotsCache({ http, agentToken: 'TrawlBot' });
    const pool = { run: async () => ({}) } as unknown as ConstructorParameters<
      typeof SitemapFetcher
    >[0]['pool'];
    const sitemaps = new SitemapFetcher({
      http,
      robots: new RobotsGate(
        robots,
        new SiteUses(new UseFiles({ http, unreachableTtlMs: 5_000 })),
        new Metrics(),
      ),
      pool,
    });
    const terms = {
      tenantId: 'a',
      plan: 'pro',
      fetchBy: deadline,
      signal: new AbortController().signal,
    };
    await sitemaps.fetch(
      site.url('/sitemap.xml'),
      terms as Parameters<typeof sitemaps.fetch>[1],
      60_000,
    );
    await endpointClient(site.url()).fetch({ url: site.url('/model'), deadline, maxBytes: 1_000 });
  }

  const signedPaths = (): string[] =>
    site
      .requests()
      .filter(({ headers }) => NAMES.some((name) => name in headers))
      .map(({ path }) => path);

  it('are signed where they go to sites, and not where they go to providers', async () => {
    const env = { WEB_BOT_AUTH_KEYS: KEYS, WEB_BOT_AUTH_URL: 'https://bot.example' };
    await sendAll(await open(env));
    const paths = site.requests().map(({ path }) => path);
    expect(paths).toEqual(['/page', '/hosted/v2/scrape', '/robots.txt', '/sitemap.xml', '/model']);
    expect(signedPaths()).toEqual(['/page', '/robots.txt', '/sitemap.xml']);
    const identity = botIdentityOf(loadSettings(env));
    const [key] = identity?.keys ?? [];
    for (const path of signedPaths()) {
      const [{ method, headers } = {} as SiteRequest] = site.requests(path);
      const own = Object.fromEntries(NAMES.map((name) => [name, String(headers[name])]));
      const request = { method, url: site.url(path), headers: own };
      expect(await botKeyId(request, key ? [key.jwk] : [])).toBe(key?.id);
    }
  });

  it('are not signed without a key', async () => {
    await sendAll(await open({}));
    expect([site.totalRequests, signedPaths()]).toEqual([5, []]);
  });

  it('are announced with the public name of the key, and no line has the key', async () => {
    await open({ WEB_BOT_AUTH_KEYS: KEYS, WEB_BOT_AUTH_URL: 'https://bot.example' });
    expect(logged.join()).toMatch(/"origin":"https:\/\/bot.example","keyId":"[\w-]{43}"/);
    for (const line of KEYS.split('\n').slice(1, 2)) expect(logged.join()).not.toContain(line);
  });
});
