import type { ServerResponse } from 'node:http';
import type { OwnPage, SiteServer } from '@app/testing';
import { EnrichFixture, acmePage, type EnrichBody } from './enrich-run.js';
import { MODES } from './deployment.js';
import { share } from './shared-cluster.js';

/** A page that sets a global, sends a beacon and loads so many scripts in all, itself included. */
const scripted = (requests: number): string =>
  acmePage(`<script>
    window.fixtureLib = { version: '3.1' };
    fetch('/fixture-beacon?1');
    for (let n = 0; n < ${requests - 2}; n++) {
      const script = document.createElement('script');
      script.src = '/part.js?' + n;
      document.head.append(script);
    }
  </script>`);

const quietScript: OwnPage = ({ response }) =>
  void response.writeHead(200, { 'content-type': 'text/javascript' }).end('');

/** A page for all but browsers, which say what a navigation is; what they get is another matter. */
const notForBrowsers =
  (html: string, refuse: (response: ServerResponse) => void): OwnPage =>
  ({ request, response }) => {
    if (request.headers['sec-fetch-mode'] !== undefined) return refuse(response);
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  };

const PLAIN = acmePage('', '<meta name="generator" content="FixtureCMS 4.2">');

const namesOf = ({ tech_stack: stack }: EnrichBody): readonly string[] =>
  stack.map(({ name }) => name).filter((name) => name.startsWith('Fixture'));

describe.each(MODES)('technologies of a website, %s', (mode) => {
  let run: EnrichFixture;

  beforeAll(async () => {
    run = await EnrichFixture.on(await share(mode));
  });
  afterAll(() => run?.stop());
  afterEach(() => run?.closeSites());

  const openWith = (home: OwnPage): Promise<SiteServer> =>
    run.open({ '/': home, '/part.js': quietScript, '/fixture-beacon': quietScript });

  it('are found by headers, cookies and tags, over all pages', async () => {
    const site = await run.open({
      '/': PLAIN,
      '/about': ({ response }) =>
        void response
          .writeHead(200, {
            'content-type': 'text/html',
            'set-cookie': ['other=1; Path=/', 'fixture_session=x; HttpOnly'],
            'x-fixture-front': 'yes',
          })
          .end(acmePage('about')),
    });
    const body = await run.enrich({ domain: site.url() }, { path: '/v1/enrich' });
    expect(namesOf(body)).toEqual(['Fixture CMS', 'Fixture Front', 'Fixture Session']);
    expect(body.tech_meta).toMatchObject({ partial: false, reasons: [] });
    expect(body.tech_meta).not.toHaveProperty('sources');
    expect(body.tech_meta?.scanned_bytes).toBe(
      Buffer.byteLength(acmePage('about')) + Buffer.byteLength(PLAIN),
    );
  });

  describe('by a deep scan', () => {
    it.each([
      [3, false],
      [300, false],
      [301, true],
    ])('of a page that makes %d requests', async (requests, isCapped) => {
      const site = await openWith(scripted(requests));
      const body = await run.enrich({ domain: site.url(), deepTech: true });
      const { reasons = [], ...meta } = body.tech_meta ?? {};
      // On a busy machine hundreds of requests can take the time of a deep scan, too: its globals are not read then.
      const isLate = requests > 10 && reasons.includes('deep_budget');
      expect(reasons.filter((reason) => !(isLate && reason === 'deep_budget'))).toEqual(
        isCapped ? ['request_cap'] : [],
      );
      expect(meta).toMatchObject({
        partial: reasons.length > 0,
        sources: ['html', 'runtime', 'network'],
      });
      expect(body.tech_stack).toEqual(
        expect.arrayContaining([
          ...(isLate ? [] : [expect.objectContaining({ name: 'FixtureJS', version: '3.1' })]),
          expect.objectContaining({ name: 'Fixture Beacon' }),
        ]),
      );
      expect(site.count('/part.js')).toBeLessThanOrEqual(298);
      expect(body.pages_crawled).toBe(1);
    });

    it('are more than those without', async () => {
      const site = await openWith(scripted(3));
      expect(namesOf(await run.enrich({ domain: site.url() }))).toEqual([]);
    });

    it('are those of the page as it was fetched when it does not render', async () => {
      const site = await openWith(
        notForBrowsers(PLAIN, (response) => void response.writeHead(500).end()),
      );
      const body = await run.enrich({ domain: site.url(), deepTech: true });
      expect(namesOf(body)).toEqual(['Fixture CMS']);
      expect(body.tech_meta).toMatchObject({
        partial: true,
        reasons: ['render_failed'],
        sources: ['html'],
      });
    });
  });
});
