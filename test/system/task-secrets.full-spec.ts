import { openTaskQueue, RetryTask, type TaskQueue } from '@app/broker';
import type { BlobStore } from '@app/blobs';
import {
  spawnApp,
  startFixtureSite,
  until,
  type Answer,
  type FixtureSite,
  type SpawnedApp,
} from '@app/testing';
import { deploy, type Deployment } from './deployment.js';
import { blobKeysWith, storageOf } from './stored-blobs.js';

/** More than anything that is stored here. */
const MAX_STORED_BYTES = 16 * 1024 * 1024;

const SECRETS = {
  cookie: 'opensesame-5b1f',
  authorization: 'swordfish-77ac',
  text: 'correct-horse-90de',
  screenshotCookie: 'battery-staple-31fe',
};

/** The two halves of a task's way, so that what lies between them can be examined. */
describe('secrets of a request (cluster)', () => {
  let service: Deployment;
  let site: FixtureSite;
  let broker: TaskQueue;
  let blobs: BlobStore;
  let fetcher: SpawnedApp | undefined;

  beforeAll(async () => {
    service = await deploy('cluster', { fetchers: 0 });
    site = await startFixtureSite();
    const { BROKER_URL = '', BROKER_PREFIX = '' } = service.env;
    broker = openTaskQueue({ url: BROKER_URL, prefix: BROKER_PREFIX });
    blobs = storageOf(service);
  });
  afterAll(async () => {
    await fetcher?.process.stop('SIGTERM');
    await broker?.close();
    await blobs?.close();
    await site?.close();
    await service?.stop();
  });

  /** Every value of every column of every table, as one text. */
  async function everythingInTheDatabase(): Promise<string> {
    const list = `SELECT c.oid::regclass::text AS name FROM pg_class c
                  WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace`;
    const tables = await service.database.query<{ name: string }>({ name: 'tables', text: list });
    const texts: string[] = [];
    for (const { name } of tables) {
      const text = `SELECT coalesce(string_agg(t::text, ' '), '') AS rows FROM ${name} t`;
      const [one] = await service.database.query<{ rows: string }>({ name: `all ${name}`, text });
      texts.push(one?.rows ?? '');
    }
    return texts.join('\n');
  }

  async function everythingInTheStorage(): Promise<string> {
    const keys = await blobKeysWith(blobs, '');
    const bodies = await Promise.all(
      keys.map((key) => blobs.read(key, undefined, MAX_STORED_BYTES)),
    );
    return [...keys, ...bodies.map((body) => body.toString('latin1'))].join('\n');
  }

  /** Messages as the broker has them; they go back for the fetcher that comes. */
  async function messagesIn(queue: 'scrape' | 'screenshot', count: number): Promise<unknown[]> {
    const seen: unknown[] = [];
    const handler = async ({ task }: { readonly task: unknown }): Promise<never> => {
      seen.push(task);
      throw new RetryTask(1);
    };
    const consumer = await broker.consume(queue, { concurrency: 2, handler });
    await until(() => seen.length >= count, { timeoutMs: 20_000 });
    await consumer.drain(5_000);
    return seen;
  }

  it('are in no queue, no row and no object, and reach the page all the same', async () => {
    const scrape = service.client.scrape({
      url: site.url('/state/headers'),
      headers: { authorization: `Bearer ${SECRETS.authorization}` },
      cookies: `session=${SECRETS.cookie}`,
      formats: ['rawHtml'],
    });
    const typed = service.client.scrape({
      url: site.url('/docs'),
      actions: [{ type: 'write', selector: 'input', text: SECRETS.text }],
    });
    const shot = service.client.call('POST', '/v1/screenshot', {
      url: site.url('/docs'),
      cookies: JSON.stringify([
        { name: 's', value: SECRETS.screenshotCookie, domain: '127.0.0.1' },
      ]),
    });
    const messages = [...(await messagesIn('scrape', 2)), ...(await messagesIn('screenshot', 1))];
    for (const message of messages)
      expect(message).toEqual({ sealedWith: '1', box: expect.any(String) });
    const kept = [await everythingInTheDatabase(), await everythingInTheStorage()].join('\n');
    expect(kept).toContain('system test');
    for (const secret of Object.values(SECRETS)) expect(kept).not.toContain(secret);
    fetcher = await spawnApp({ app: 'fetcher', env: service.env });
    const answers: readonly Answer[] = await Promise.all([scrape, typed, shot]);
    expect(answers.map(({ status }) => status)).toEqual([200, expect.any(Number), 200]);
    const sent = site.requests('/state/headers')[0];
    expect(sent?.headers).toMatchObject({
      authorization: `Bearer ${SECRETS.authorization}`,
      cookie: `session=${SECRETS.cookie}`,
    });
  });
});
