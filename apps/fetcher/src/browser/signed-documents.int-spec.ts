import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadSettings } from '@app/config';
import { botIdentityOf, type SignRequest } from '@app/egress';
import { SiteServer, type SiteRequest } from '@app/testing';
import { botKeyId } from '../../../../libs/egress/test/verify-bot.js';
import { fetchRequest } from '../../../../libs/fetch/test/fetch-request.js';
import { chromiumPath } from '../../../../test/setup/test-servers.js';
import { BrowserProcess } from './browser-process.js';

const KEYS = generateKeyPairSync('ed25519')
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const NAMES = ['signature', 'signature-agent', 'signature-input'];

/** The whole way of a rendered page: this process has the key, the browser process requests each signature. */
describe('the browser process of a fetcher that signs', () => {
  const scratchRoot = mkdtempSync(path.join(tmpdir(), 'signed-documents-'));
  const identity = botIdentityOf(
    loadSettings({ WEB_BOT_AUTH_KEYS: KEYS, WEB_BOT_AUTH_URL: 'https://bot.example' }),
  );
  let site: SiteServer;

  beforeAll(async () => {
    site = await SiteServer.start(({ response }) => void response.end('<p>page<img src=/a.png>'));
    site.serve({
      '/to-page': ({ response }) => void response.writeHead(302, { location: '/page' }).end(),
    });
  });
  beforeEach(() => site.reset());
  afterAll(async () => {
    await site.close();
    rmSync(scratchRoot, { recursive: true, force: true });
  });

  async function withBrowsers(
    signRequest: SignRequest | undefined,
    work: (browsers: BrowserProcess) => Promise<void>,
  ): Promise<void> {
    const browsers = new BrowserProcess({
      terms: {
        egress: {
          ...{ fetchAllowPrivate: `127.0.0.1/32:${site.port}`, egressDeny: '' },
          ...{ outboundProxies: '', outboundProxyResolvesNames: false },
        },
        pool: {
          ...{ executablePath: chromiumPath(), userAgentSuffix: 'TestBot/1.0', scratchRoot },
          ...{ launchTimeoutMs: 60_000, closeTimeoutMs: 30_000, probeTimeoutMs: 30_000 },
        },
        ...{ hostedUrl: null, runAs: null },
      },
      signRequest,
      entry: new URL(`file://${__dirname}/../../test/browser-main.mjs`),
      ...{ events: {}, onDenied: () => {}, onLog: () => {}, onLost: () => {} },
    });
    try {
      await work(browsers);
    } finally {
      await browsers.close();
    }
  }

  const keyIdOf = ({ method, target, headers }: SiteRequest): Promise<string> => {
    const [key] = identity?.keys ?? [];
    const own = Object.fromEntries(NAMES.map((name) => [name, String(headers[name])]));
    const request = { method, url: site.url(target), headers: own };
    return botKeyId(request, key ? [key.jwk] : []);
  };
  const isSigned = ({ headers }: SiteRequest): boolean => NAMES.some((name) => name in headers);

  it('signs the documents of a page, each redirect anew, and none of another method', async () => {
    await withBrowsers(identity?.signRequest, async (browsers) => {
      const result = await browsers.fetch('headless', fetchRequest(site.url('/to-page')));
      expect(result).toMatchObject({ ok: true, page: { statusCode: 200, isRendered: true } });
      const signed = site.requests().filter(isSigned);
      expect(signed.map(({ path: one }) => one)).toEqual(['/to-page', '/page']);
      const id = identity?.keys[0].id;
      expect(await Promise.all(signed.map(keyIdOf))).toEqual([id, id]);
      site.reset();
      expect(await browsers.fetch('stealth', fetchRequest(site.url('/page')))).toMatchObject({
        ok: true,
      });
      expect([site.count('/page'), site.requests().filter(isSigned)]).toEqual([1, []]);
    });
  });

  it('signs nothing without a key', async () => {
    await withBrowsers(undefined, async (browsers) => {
      expect(await browsers.fetch('headless', fetchRequest(site.url('/page')))).toMatchObject({
        ok: true,
      });
      expect([site.count('/page'), site.requests().filter(isSigned)]).toEqual([1, []]);
    });
  });
});
