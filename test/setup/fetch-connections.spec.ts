import { SiteServer, until } from '@app/testing';
import { closeFetchConnections } from './fetch-connections.js';

describe('closeFetchConnections', () => {
  let site: SiteServer;
  let finish: () => void;
  beforeEach(async () => {
    site = await SiteServer.start(({ url, response }) => {
      finish = () => response.end('done');
      if (url.pathname === '/now') finish();
    });
  });
  afterEach(() => site.close());

  const read = async (path: string): Promise<string> => (await fetch(site.url(path))).text();
  const untilOpen = (count: number) => until(() => site.openSockets === count);

  it('closes those that were kept, and later requests open new ones', async () => {
    await read('/now');
    expect(site.openSockets).toBe(1);
    closeFetchConnections();
    await untilOpen(0);
    expect(await read('/now')).toBe('done');
  });

  it('leaves a request in progress alone', async () => {
    const answer = read('/later');
    await until(() => site.inFlight === 1);
    closeFetchConnections();
    finish();
    expect(await answer).toBe('done');
    await untilOpen(0);
  });
});
