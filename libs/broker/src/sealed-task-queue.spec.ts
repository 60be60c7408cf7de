import { QUEUES } from '@app/contracts';
import { SealBrokenError, type SealingKey } from '@app/secrets';
import { until } from '@app/testing';
import { InMemoryTaskQueue } from './in-memory-task-queue.js';
import {
  SealedTaskQueue,
  type SealedTaskQueueOptions,
  type SealingKeys,
} from './sealed-task-queue.js';
import { BrokerUnavailableError, DropTask } from './task-errors.js';
import { MAX_TASK_BYTES, openTask, sealTask } from './task-json.js';
import { describeTaskQueue } from './task-queue.contract.js';

const KEY: SealingKey = { id: '1', secret: Buffer.alloc(32, 7) };
const OTHER: SealingKey = { id: '2', secret: Buffer.alloc(32, 8) };
const SECRET = 'session=opensesame';

const keysWith = (...known: SealingKey[]): SealingKeys => ({
  current: async () => known.at(-1) ?? KEY,
  find: async (id) => known.find((key) => key.id === id) ?? null,
});

const seal = (
  inner: InMemoryTaskQueue,
  over: Partial<SealedTaskQueueOptions> = {},
): SealedTaskQueue =>
  new SealedTaskQueue({
    inner,
    keys: keysWith(KEY),
    queues: ['scrape'],
    onFailure: () => undefined,
    ...over,
  });

describeTaskQueue('SealedTaskQueue', async ({ maxCrawlLength, events } = {}) => {
  const maxLengths = maxCrawlLength === undefined ? {} : { crawl: maxCrawlLength };
  return seal(new InMemoryTaskQueue({ maxLengths, events }), { queues: QUEUES });
});

describe('a sealed queue', () => {
  let inner: InMemoryTaskQueue;
  beforeEach(() => (inner = new InMemoryTaskQueue()));
  afterEach(() => inner.close());

  /** Takes the messages as the broker stores them. */
  const asTheBrokerSees = async (queue: 'scrape' | 'crawl'): Promise<unknown[]> => {
    const seen: unknown[] = [];
    await inner.consume(queue, {
      concurrency: 1,
      handler: async ({ task }) => void seen.push(task),
    });
    await until(() => seen.length > 0);
    return seen;
  };

  it('sends the broker ciphertext, and tasks of other queues unchanged', async () => {
    const queue = seal(inner);
    await queue.publish('scrape', { cookies: SECRET });
    await queue.publish('crawl', { jobId: 'j' });
    const [sealed] = await asTheBrokerSees('scrape');
    expect(Object.keys(sealed as object)).toEqual(['sealedWith', 'box']);
    const { box } = sealed as { readonly box: string };
    expect(Buffer.from(box, 'base64').toString('latin1')).not.toContain(SECRET);
    expect(await asTheBrokerSees('crawl')).toEqual([{ jobId: 'j' }]);
  });

  it('never makes the same message of the same task', async () => {
    const queue = seal(inner);
    await queue.publishMany('scrape', ['a', 'a']);
    const seen = await asTheBrokerSees('scrape');
    await until(() => seen.length === 2);
    expect(seen[0]).not.toEqual(seen[1]);
  });

  it('accepts a task of the maximum size', async () => {
    const queue = seal(inner);
    const task = 'x'.repeat(MAX_TASK_BYTES - 2);
    await queue.consume('scrape', { concurrency: 1, handler: async (one) => one.task === task });
    expect(await queue.request('scrape', task, { timeoutMs: 60_000 })).toBe(true);
  });

  it('decrypts tasks of the previous key', async () => {
    await seal(inner, { keys: keysWith(KEY) }).publish('scrape', 'old');
    const seen: unknown[] = [];
    const handler = async ({ task }: { readonly task: unknown }): Promise<void> =>
      void seen.push(task);
    const queue = seal(inner, { keys: keysWith(KEY, OTHER) });
    await queue.consume('scrape', { concurrency: 1, handler });
    await queue.publish('scrape', 'new');
    await until(() => seen.length === 2);
    expect(seen).toEqual(['old', 'new']);
  });

  it.each<[string, unknown, string]>([
    ['is not sealed', { url: 'http://forged.example/' }, 'not sealed'],
    ['was sealed with a key that is gone', sealTask('scrape', Buffer.from('1'), OTHER), 'expired'],
    ['was sealed for another queue', sealTask('brand', Buffer.from('1'), KEY), 'does not open'],
    ['was cut short', { sealedWith: '1', box: 'AAAA' }, 'too short'],
  ])('works on nothing that %s', async (_what, message, reason) => {
    let calls = 0;
    await seal(inner).consume('scrape', { concurrency: 1, handler: async () => calls++ });
    await inner.publish('scrape', message);
    await until(() => inner.deadLetters('scrape').length === 1);
    expect(inner.deadLetters('scrape')[0]?.reason).toContain(reason);
    expect(calls).toBe(0);
  });

  it('leaves the error of a handler out of the dead letter and of the reply, and reports it', async () => {
    const failures: unknown[] = [];
    const queue = seal(inner, { onFailure: (_, error) => failures.push(error) });
    const thrown = new TypeError(`Invalid header value ${SECRET}`);
    await queue.consume('scrape', { concurrency: 1, handler: () => Promise.reject(thrown) });
    const reply = queue.request('scrape', { cookies: SECRET }, { timeoutMs: 60_000 });
    await expect(reply).rejects.toThrow(/^Error: TypeError$/);
    expect(JSON.stringify(inner.deadLetters('scrape'))).not.toContain(SECRET);
    expect(failures).toEqual([thrown, thrown]);
  });

  it('passes on why a handler dropped a task', async () => {
    const queue = seal(inner);
    const handler = (): Promise<never> => Promise.reject(new DropTask('not a scrape task'));
    await queue.consume('scrape', { concurrency: 1, handler });
    await queue.publish('scrape', 1);
    await until(() => inner.deadLetters('scrape').length === 1);
    expect(inner.deadLetters('scrape')[0]?.reason).toBe('not a scrape task');
  });

  it('publishes nothing while no key can be read', async () => {
    const keys: SealingKeys = {
      ...keysWith(KEY),
      current: () => Promise.reject(new Error('no database')),
    };
    await expect(seal(inner, { keys }).publish('scrape', 1)).rejects.toBeInstanceOf(
      BrokerUnavailableError,
    );
    expect(await inner.depth('scrape')).toBe(0);
  });

  it('delivers a task again whose key could not be read', async () => {
    let tries = 0;
    const find = async (): Promise<SealingKey> => {
      if (++tries === 1) throw new Error('no database');
      return KEY;
    };
    const queue = seal(inner, { keys: { ...keysWith(KEY), find } });
    await queue.consume('scrape', { concurrency: 1, handler: async ({ task }) => task });
    expect(await queue.request('scrape', 'late', { timeoutMs: 60_000 })).toBe('late');
  });
});

describe('a seal', () => {
  const sealed = sealTask('scrape', Buffer.from('"x"'), KEY);

  it('opens with its key', () => {
    expect(openTask('scrape', sealed, KEY)).toBe('x');
  });

  it('breaks by any changed byte', () => {
    const bytes = Buffer.from(sealed.box, 'base64');
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      const forged = { ...sealed, box: changed.toString('base64') };
      expect(() => openTask('scrape', forged, KEY)).toThrow(SealBrokenError);
    }
  });

  it('is refused with a key of another length', () => {
    const short = { id: '3', secret: Buffer.alloc(16) };
    expect(() => sealTask('scrape', Buffer.from('1'), short)).toThrow(/16 bytes: 32 are needed/);
  });
});
