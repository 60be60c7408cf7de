import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { loadSettings, SETTINGS } from '@app/config';
import { NAMED_TARGETS, unusableSettings } from './unusable-settings.js';

/** Settings with an address or a path that are checked elsewhere, or that name no server of others. */
const NOT_TRIED = [
  // Health checks, and the browser's own launch.
  ...['DATABASE_URL', 'BROKER_URL', 'STORAGE_URL', 'CHROMIUM_PATH', 'DATA_DIR'],
  // Addresses under which others reach this service.
  ...['PUBLIC_URL', 'STORAGE_PUBLIC_URL', 'EXAMPLE_URL', 'STRIPE_API_URL', 'WEB_BOT_AUTH_URL'],
];

describe('what settings name, tried at the start', () => {
  // A port that was free a moment ago may belong to a server of another test by now.
  const closed = 1;
  let server: Server;
  let open: number;

  beforeAll(async () => {
    server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    open = (server.address() as AddressInfo).port;
  });
  afterAll(() => void server.close());

  const tryOut = (env: Record<string, string>, component = 'standalone') =>
    unusableSettings(loadSettings(env), component, 60_000);

  it('reports nothing when nothing is set, or when all of it works', async () => {
    expect(await tryOut({})).toEqual([]);
    const url = `http://127.0.0.1:${open}/v1`;
    const env = { LLM_BASE_URL: url, BROWSER_WS_URL: url, CONNECTORS_DIR: __dirname };
    expect(await tryOut(env)).toEqual([]);
  });

  it('names the setting and the address, and keeps its secrets', async () => {
    const found = await tryOut({ BROWSER_WS_URL: `ws://127.0.0.1:${closed}/?token=hidden` });
    expect(found).toEqual([
      { env: 'BROWSER_WS_URL', problem: expect.stringContaining(`127.0.0.1:${closed} accepts no`) },
    ]);
    expect(JSON.stringify(found)).not.toContain('hidden');
  });

  it('reads addresses out of JSON, with their placeholders', async () => {
    const provider = { name: 'x', url: `http://127.0.0.1:${closed}/?q={url}&key={key}`, key: 'k' };
    const [found] = await tryOut({ UNBLOCK_HTTP: JSON.stringify([provider]) });
    expect(found).toMatchObject({ env: 'UNBLOCK_HTTP' });
  });

  it('reports a folder that is missing', async () => {
    const [found] = await tryOut({ CONNECTORS_DIR: '/nowhere/connectors' });
    expect(found?.problem).toContain('/nowhere/connectors cannot be read (ENOENT)');
  });

  it('tries in each app of a cluster only what that app uses', async () => {
    const env = { LLM_BASE_URL: `http://127.0.0.1:${closed}/`, CONNECTORS_DIR: '/nowhere' };
    const names = async (app: string) => (await tryOut(env, app)).map((one) => one.env);
    expect(await names('api')).toEqual(['CONNECTORS_DIR']);
    expect(await names('fetcher')).toEqual(['LLM_BASE_URL']);
    expect(await names('tech-scan')).toEqual([]);
  });

  it('covers every setting with an address or a path', () => {
    const covered = Object.keys(NAMED_TARGETS).map((name) => SETTINGS[name as 'smtpUrl'].env);
    const named = Object.values(SETTINGS)
      .map(({ env }) => env as string)
      .filter((env) => /_(URL|PATH|DIR|ENDPOINT|SERP|HTML)$|^SCRAPER_[A-Z]+$/.test(env));
    expect(named.filter((env) => ![...covered, ...NOT_TRIED].includes(env))).toEqual([]);
  });
});
