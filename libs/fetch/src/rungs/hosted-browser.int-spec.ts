import { BlockedUrlError } from '@app/egress';
import { RemoteChromium, SiteServer, until } from '@app/testing';
import { chromiumPath } from '../../../../test/setup/test-servers.js';
import { pageRequest, type PageRequestOptions } from '../../test/local-pages.js';
import { HostedBrowserRung } from './hosted-browser.rung.js';

const LONG = 'enough text to be a page of its own and not a shell. '.repeat(6);

describe('HostedBrowserRung', () => {
  let site: SiteServer;
  let remote: RemoteChromium;
  const vetted: string[] = [];
  const vet = async (url: string): Promise<void> => {
    vetted.push(new URL(url).pathname);
    if (url.includes('forbidden')) throw new BlockedUrlError('subresource', url);
  };
  beforeAll(async () => {
    site = await SiteServer.start(({ response }) => void response.writeHead(404).end());
    site.serve({
      '/page': `<p>${LONG}</p><b id=b></b><img src=/forbidden.png><script src=/hop.js></script><iframe src="http://localhost:${site.port}/frame"></iframe>`,
      '/frame': '<script src=/forbidden-in-frame.js></script><p>frame',
      '/hop.js': ({ response }) =>
        void response.writeHead(302, { location: '/forbidden.js' }).end(),
      '/to-forbidden': ({ response }) =>
        void response.writeHead(302, { location: '/forbidden' }).end(),
      '/slow': () => undefined,
    });
    remote = await RemoteChromium.start(chromiumPath());
  });
  afterAll(async () => {
    await remote.stop();
    await site.close();
  });
  beforeEach(() => {
    vetted.length = 0;
    site.reset();
  });
  const fetch = (target: string, options: PageRequestOptions = {}, wsUrl = remote.wsUrl) =>
    new HostedBrowserRung({ wsUrl, vet, costMicroUsd: 5 }).fetch(
      pageRequest(site.url(target), options),
    );

  it('renders in the other browser, again and again', async () => {
    for (let times = 0; times < 2; times++) {
      const result = await fetch('/page', { deadlineMs: 60_000 });
      expect(result).not.toHaveProperty('failure');
      expect(result).toMatchObject({ ok: true, page: { statusCode: 200, url: site.url('/page') } });
    }
  });

  it('checks every request with the guard, also redirects and requests of frames', async () => {
    await fetch('/page', { actions: [{ type: 'screenshot' }] });
    expect(vetted).toEqual(
      expect.arrayContaining([
        '/page',
        '/hop.js',
        '/forbidden.js',
        '/forbidden.png',
        '/frame',
        '/forbidden-in-frame.js',
      ]),
    );
    expect([...site.countsByPath().keys()].filter((one) => one.includes('forbidden'))).toEqual([]);
  });

  it('throws when the guard refuses the page itself', async () => {
    await expect(fetch('/to-forbidden')).rejects.toBeInstanceOf(BlockedUrlError);
    expect(site.count('/forbidden')).toBe(0);
  });

  it('shares nothing between two tasks', async () => {
    site.serve({
      '/set': ({ response }) =>
        void response
          .writeHead(200, { 'set-cookie': 'a=1', 'content-type': 'text/html' })
          .end(LONG),
    });
    await fetch('/set');
    await fetch('/set');
    expect(site.requests('/set').map(({ headers }) => headers.cookie)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('is aborted at the deadline', async () => {
    const startedAt = performance.now();
    expect(await fetch('/slow', { deadlineMs: 3_500 })).toMatchObject({
      failure: { errorClass: 'timeout' },
    });
    expect(performance.now() - startedAt).toBeLessThan(45_000);
  });

  it('fails as provider_error when there is no browser, and does not reveal its address', async () => {
    const result = await fetch('/page', {}, 'ws://127.0.0.1:1/?token=secret');
    expect(result).toMatchObject({ ok: false, failure: { errorClass: 'provider_error' } });
    expect(JSON.stringify(result)).not.toContain('secret');
  });

  it('fails as provider_error when the browser is lost on the way', async () => {
    const other = await RemoteChromium.start(chromiumPath());
    const result = fetch('/slow', { deadlineMs: 90_000 }, other.wsUrl);
    const isAsked = until(() => site.count('/slow') > 0, { what: 'the page' });
    expect(await Promise.race([isAsked, result])).toBe(true);
    await other.stop();
    expect(await result).toMatchObject({ ok: false, failure: { errorClass: 'provider_error' } });
  });
});
