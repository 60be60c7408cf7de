import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { changeAgreement } from '@app/accounts';
import {
  articleMarker,
  startFixtureSite,
  SMALL_SITE_PATHS,
  until,
  type FixtureSite,
} from '@app/testing';
import { createCaller, MODES, type Service } from './deployment.js';
import { HeldPages, heldTopic } from './held-pages.js';
import { JobSocket } from './job-socket.js';
import { share } from './shared-cluster.js';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

interface Started {
  readonly id: string;
}
interface State {
  readonly status: string;
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly [name: string]: unknown;
}

describe.each(MODES)('the WebSocket of a job (%s)', (mode) => {
  let site: FixtureSite;
  let service: Service;

  beforeAll(async () => {
    site = await startFixtureSite({ treePages: 30 });
    service = await share(mode);
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });

  async function crawl(url: string, limit = 10, client = service.client): Promise<string> {
    const body = { url, limit, crawlEntireDomain: true };
    const { status, body: answer } = await client.call('POST', '/v2/crawl', body);
    expect(status).toBe(200);
    return (answer as Started).id;
  }

  async function state(id: string): Promise<State> {
    return (await service.client.call('GET', `/v2/crawl/${id}`)).body as State;
  }

  async function ended(path: string): Promise<string> {
    const id = await crawl(site.url(path));
    await until(async () => (await state(id)).status === 'completed', { what: 'the crawl' });
    return id;
  }

  const watch = (id: string, options: Parameters<typeof JobSocket.open>[1] = {}) =>
    JobSocket.open(`${service.url}/v2/crawl/${id}`, { key: service.key, ...options });

  it('brings the state, each page as it is stored, and the end', async () => {
    const held = new HeldPages(site, 20);
    const id = await crawl(held.url, 12);
    const socket = await watch(id);
    await until(() => socket.types.includes('catchup'), { what: 'the state' });
    held.release();
    expect(await socket.end()).toEqual({ code: 1000, reason: 'the job is completed' });
    const { data, ...final } = await state(id);
    expect(socket.messages[0]).toMatchObject({
      type: 'catchup',
      data: { success: true, status: 'scraping', next: null },
    });
    const documents = socket.messages.filter(({ type }) => type === 'document');
    expect(documents.map((one) => one.data)).toEqual(data);
    expect(documents).toHaveLength(12);
    expect(documents[0]?.data?.markdown).toContain(articleMarker(heldTopic(0)));
    expect(socket.messages.at(-1)).toEqual({ type: 'done', data: final });
    expect(socket.types.lastIndexOf('document')).toBe(socket.types.length - 2);
  });

  it('of a job that has ended brings its documents, then the end', async () => {
    const id = await ended('/');
    const socket = await watch(id);
    expect((await socket.end()).code).toBe(1000);
    const { data } = await state(id);
    expect(data.length).toBeGreaterThanOrEqual(SMALL_SITE_PATHS.length);
    expect(socket.types).toEqual([...data.map(() => 'document'), 'done']);
  });

  it('ends with the state of a job that is cancelled', async () => {
    const held = new HeldPages(site, 100, 3);
    const id = await crawl(held.url, 500);
    const socket = await watch(id);
    await until(() => socket.types.includes('document'), { what: 'a document' });
    await service.client.call('DELETE', `/v2/crawl/${id}`);
    held.release();
    expect(await socket.end()).toEqual({ code: 1000, reason: 'the job is cancelled' });
    expect(socket.messages.at(-1)).toMatchObject({
      type: 'catchup',
      data: { status: 'cancelled' },
    });
    expect(socket.types).not.toContain('done');
  });

  it('follows a batch, and answers below the other prefix', async () => {
    const urls = [site.url('/about'), site.url('/docs')];
    const { body } = await service.client.call('POST', '/v2/batch/scrape', { urls });
    const { id } = body as Started;
    const url = `${service.url}/firecrawl/v2/batch/scrape/${id}`;
    const socket = await JobSocket.open(url, { key: service.key });
    expect((await socket.end()).code).toBe(1000);
    const documents = socket.messages.filter(({ type }) => type === 'document');
    const sources = documents.map((one) => one.data?.metadata?.['sourceURL']);
    expect([...sources].sort()).toEqual(urls);
  });

  it.each(['x-api-key', 'authorization'])('takes the key in %s', async (name) => {
    const id = await ended('/');
    const value = name === 'x-api-key' ? service.key : `Bearer ${service.key}`;
    const url = `${service.url}/v2/crawl/${id}`;
    const socket = await JobSocket.open(url, { headers: { [name]: value } });
    expect((await socket.end()).code).toBe(1000);
  });

  it('names the key as the chosen subprotocol, without which a browser refuses to connect', async () => {
    const socket = await watch(await ended('/'));
    expect(socket.socket.protocol).toBe(service.key);
    await socket.end();
  });

  describe('opens, shows the error, and ends with a final state', () => {
    it.each([
      ['of an unknown job', () => watch(UNKNOWN), 1008, 'Job not found'],
      ['of something that is no id', () => watch('%20'), 1008, 'Job not found'],
      ['without a key', () => watch(UNKNOWN, { key: undefined }), 3000, 'API key'],
      ['with a wrong key', () => watch(UNKNOWN, { key: 'trawl_live_wrong' }), 3000, 'API key'],
    ])('%s', async (_, open, code, text) => {
      const socket = await open();
      expect(await socket.end()).toEqual({ code, reason: expect.stringContaining(text) });
      expect(socket.messages).toEqual([
        { type: 'error', error: expect.stringContaining(text) },
        { type: 'catchup', data: expect.objectContaining({ status: 'failed', data: [] }) },
      ]);
    });

    it('of the job of another account, as of an unknown one', async () => {
      const id = await ended('/');
      const { key } = await createCaller(service.database, 'other', 'custom');
      const socket = await watch(id, { key });
      expect(await socket.end()).toEqual({ code: 1008, reason: 'Job not found' });
      expect(socket.types).toEqual(['error', 'catchup']);
    });

    it('of a batch at the address of a crawl', async () => {
      const urls = [site.url('/about')];
      const { body } = await service.client.call('POST', '/v2/batch/scrape', { urls });
      expect((await (await watch((body as Started).id)).end()).code).toBe(1008);
    });

    it('with a revoked key', async () => {
      const id = await ended('/');
      const made = await service.client.call('POST', '/v1/keys', { label: 'to be revoked' });
      const { id: keyId, key } = made.body as { id: string; key: string };
      await service.client.call('DELETE', `/v1/keys/${keyId}`);
      const socket = await watch(id, { key });
      expect((await socket.end()).code).toBe(3000);
    });
  });

  it('is closed when the client sends a message', async () => {
    const held = new HeldPages(site, 2);
    const id = await crawl(held.url);
    const socket = await watch(id);
    socket.socket.send('hello');
    expect(await socket.end()).toMatchObject({ code: 1003 });
    await service.client.call('DELETE', `/v2/crawl/${id}`);
    held.release();
  });

  it('is closed at the head of a frame of 10 MB, which is not received', async () => {
    const held = new HeldPages(site, 2);
    const id = await crawl(held.url);
    const socket = await watch(id);
    socket.socket.send(Buffer.alloc(10 * 1024 * 1024));
    // The client may be writing still when the connection ends: it then sees no code.
    expect([1009, 1006]).toContain((await socket.end()).code);
    await service.client.call('DELETE', `/v2/crawl/${id}`);
    held.release();
  });

  it('counts as one of the 20 streams of an account; the next one is left to polling', async () => {
    const held = new HeldPages(site, 2);
    // An account of its own: streams of the cases before may still be counted.
    const { client, key } = await service.tenant();
    const id = await crawl(held.url, 10, client);
    const all = await Promise.all(Array.from({ length: 20 }, () => watch(id, { key })));
    await until(() => all.every(({ types }) => types.includes('catchup')), { what: '20 streams' });
    const next = await watch(id, { key });
    expect(await next.end()).toEqual({ code: 1013, reason: expect.stringContaining('20') });
    expect(next.messages).toEqual([]);
    const other = await watch(id);
    expect((await other.end()).code).toBe(1008);
    for (const { socket } of all) socket.terminate();
    await client.call('DELETE', `/v2/crawl/${id}`);
    held.release();
  });

  it('of an account over its rate limit is left to polling', async () => {
    const { id, key } = await createCaller(service.database, 'hasty', 'free');
    await service.database.transaction((tx) =>
      changeAgreement(tx, id, {
        monthlyCredits: null,
        requestsPerMinute: 1,
        concurrentRequests: 1,
      }),
    );
    const codes = new Set<number>();
    const isRefused = async (): Promise<boolean> => {
      codes.add((await (await watch(UNKNOWN, { key })).end()).code);
      return codes.has(1013);
    };
    await until(isRefused, { what: 'a full rate window' });
    expect([...codes]).toEqual([1008, 1013]);
  });

  it('leaves requests that offer another protocol to HTTP', async () => {
    const { hostname, port } = new URL(service.url);
    const body = JSON.stringify({ urls: [] });
    const head = [
      'POST /v2/batch/scrape HTTP/1.1',
      ...[`host: ${hostname}`, `x-api-key: ${service.key}`, 'connection: upgrade, close'],
      ...['upgrade: h2c', 'content-type: application/json', `content-length: ${body.length}`],
    ].join('\r\n');
    const text = await exchange(connect(Number(port), hostname), `${head}\r\n\r\n${body}`);
    expect(text).toMatch(/^HTTP\/1\.1 400 [\s\S]*"success":false/);
  });

  it('is not opened anywhere else', async () => {
    const url = `${service.url}/v1/jobs`;
    await expect(JobSocket.open(url, { key: service.key })).rejects.toThrow('401');
  });
});

async function exchange(socket: Socket, request: string): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(request);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}
