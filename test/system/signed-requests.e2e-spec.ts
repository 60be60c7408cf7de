import { generateKeyPairSync } from 'node:crypto';
import { KEY_DIRECTORY_PATH } from '@app/egress';
import { articleHtml, htmlPage, SiteServer, type SiteRequest } from '@app/testing';
import { botKeyId, directoryKeyIds } from '../../libs/egress/test/verify-bot.js';
import { deploy, MODES, PATIENT_ENV, type Deployment } from './deployment.js';

const ORIGIN = 'https://bot.example';
const NAMES = ['signature', 'signature-agent', 'signature-input'];
const makePem = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

describe.each(MODES)('a service with a key that sites can check, %s', (mode) => {
  const pems = [makePem(), makePem()];
  let service: Deployment;
  let site: SiteServer;

  beforeAll(async () => {
    site = await SiteServer.start(({ response }) => void response.writeHead(404).end());
    const body = `${articleHtml('page')}<a href="/linked">on</a><script src="/own.js"></script>`;
    site.serve({
      '/': htmlPage({ title: 'Home', body }),
      '/linked': htmlPage({ title: 'Linked', body: articleHtml('linked') }),
      '/sitemap.xml': ({ response }) => {
        const type = { 'content-type': 'application/xml' };
        response
          .writeHead(200, type)
          .end(`<urlset><url><loc>${site.url('/linked')}</loc></url></urlset>`);
      },
    });
    const env = { WEB_BOT_AUTH_KEYS: pems.join(''), WEB_BOT_AUTH_URL: ORIGIN };
    service = await deploy(mode, { env: { ...PATIENT_ENV, ...env } });
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });

  const isSigned = ({ headers }: SiteRequest): boolean => NAMES.every((name) => name in headers);
  const pathsOf = (requests: readonly SiteRequest[]): string[] =>
    [...new Set(requests.map(({ path }) => path))].sort();

  it('signs what it requests of a site by itself, and not what a page loads', async () => {
    const answer = await fetch(service.url + KEY_DIRECTORY_PATH);
    const directory = { headers: Object.fromEntries(answer.headers), body: await answer.text() };
    const [first] = await directoryKeyIds(`${ORIGIN}/`, directory);
    const { keys } = JSON.parse(directory.body) as { readonly keys: readonly object[] };
    expect(keys).toHaveLength(2);

    const { jobId } = await service.client.crawl({ url: site.url('/'), limit: 5 });
    expect(await service.client.waitForEnd(jobId)).toMatchObject({ status: 'completed' });
    const crawled = site.requests();
    expect(pathsOf(crawled)).toEqual(
      expect.arrayContaining(['/', '/linked', '/robots.txt', '/sitemap.xml']),
    );
    expect(pathsOf(crawled.filter((one) => !isSigned(one)))).toEqual([]);

    site.reset();
    const page = await service.client.scrape({ url: site.url('/'), forceHeadless: true });
    expect(page.status).toBe(200);
    expect(pathsOf(site.requests().filter((one) => !isSigned(one)))).toEqual(['/own.js']);

    for (const request of [...crawled, ...site.requests()].filter(isSigned)) {
      const headers = Object.fromEntries(
        NAMES.map((name) => [name, String(request.headers[name])]),
      );
      const sent = { method: request.method, url: site.url(request.target), headers };
      expect(await botKeyId(sent, keys)).toBe(first);
    }
  });

  it('writes no key into a log', () => {
    const output = service.apps.flatMap((app) => app.process.output).join('\n');
    expect(output).toContain('requests to sites are signed');
    for (const pem of pems) expect(output).not.toContain(pem.split('\n')[1]?.slice(22));
  });
});
