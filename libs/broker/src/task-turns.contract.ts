import type { TaskOwner } from '@app/contracts';
import { until } from '@app/testing';
import type { StartTaskQueue } from './task-queue-probe.contract.js';
import type { TaskConsumer, TaskHandler, TaskQueue } from './task-queue.js';

const WAIT_MS = 100_000;
const CONCURRENCY = 4;
const FREE_SHARE = 2;

/** Consumers whose tenants take turns. */
export function describeTurns(start: StartTaskQueue): void {
  it('begins the task of a tenant at once while another one holds all slots it may have', async () => {
    const { site, ask } = await opened(start);
    void ask('greedy', 20);
    await until(() => site.count('greedy') === CONCURRENCY);
    void ask('late', 1);
    await until(() => site.count('late') === 1);
    expect(site.count('greedy')).toBe(CONCURRENCY);
  });

  it('serves tenants in turn, whatever the order of their tasks', async () => {
    const { site, ask } = await opened(start);
    void ask('a', 10);
    await until(() => site.count('a') === CONCURRENCY);
    void ask('b', 10);
    await until(() => site.count('b') === 1);
    // Each end makes room for the tenant with fewer tasks.
    site.end('a');
    await until(() => site.count('a') === 3 && site.count('b') === 2);
    site.end('a');
    site.end('a');
    await until(() => site.count('a') === 2 && site.count('b') === 2);
    site.end('a');
    site.end('a');
    await until(() => site.count('a') === 2 && site.begun === 9);
    expect(site.count('b')).toBe(2);
  });

  it('keeps tenants on the free plan within their share, and others pass them', async () => {
    const { site, ask } = await opened(start);
    for (let n = 0; n < 30; n++) void ask(`free ${n}`, 2, true);
    await until(() => site.running === FREE_SHARE);
    void ask('paid', 1);
    await until(() => site.count('paid') === 1);
    expect(site.running).toBe(FREE_SHARE + 1);
  });

  it("passes the task's owner to the handler", async () => {
    const { site, ask } = await opened(start);
    void ask('a', 1, true);
    await until(() => site.running === 1);
    expect(site.owners).toEqual([{ tenantId: 'a', isFree: true }]);
  });

  it('works on every task once, and answers it', async () => {
    const { site, ask } = await opened(start);
    site.open();
    const tenants = ['a', 'b', 'c'];
    const answers = await Promise.all(tenants.map((tenantId) => ask(tenantId, 40)));
    expect(answers).toEqual(
      tenants.map((tenantId) => Array<string>(40).fill(`done for ${tenantId}`)),
    );
    expect(site.begun).toBe(120);
  });

  it('returns the tasks that wait for a turn when it drains', async () => {
    const { queue, site, ask, consumer } = await opened(start);
    const answers = ask('a', 10);
    await until(() => site.running === CONCURRENCY);
    const drained = consumer.drain(60_000);
    site.open();
    expect(await drained).toEqual({ abandoned: 0 });
    expect(site.begun).toBe(CONCURRENCY);
    await consumeAt(queue, site.handler);
    expect(await answers).toHaveLength(10);
    expect(site.begun).toBe(10);
  });

  it('drops a task that became void while it waited for its turn', async () => {
    const { queue, site, ask } = await opened(start);
    const first = ask('a', CONCURRENCY);
    await until(() => site.running === CONCURRENCY);
    const late = queue.request('scrape', 'void', { timeoutMs: 50, owner: ownerOf('a', false) });
    await expect(late).rejects.toMatchObject({ name: 'RequestTimeoutError' });
    const voidFromMs = Date.now() + 50;
    // A timer may fire a millisecond early by this clock.
    await until(() => Date.now() > voidFromMs);
    site.open();
    await first;
    await ask('a', 1);
    expect(site.begun).toBe(CONCURRENCY + 1);
  });

  it('queues a task again in turn after its handler threw', async () => {
    const { queue } = await opened(start, async ({ redelivered, owner }) => {
      if (!redelivered) throw new Error('the first try');
      return owner;
    });
    const owner = ownerOf('a', true);
    expect(await queue.request('scrape', 1, { timeoutMs: WAIT_MS, owner })).toEqual(owner);
  });
}

const ownerOf = (tenantId: string, isFree: boolean): TaskOwner => ({ tenantId, isFree });

async function opened(start: StartTaskQueue, handler?: TaskHandler) {
  const queue = await start();
  const site = tarpit();
  const consumer = await consumeAt(queue, handler ?? site.handler);
  const ask = (tenantId: string, tasks: number, isFree = false): Promise<readonly unknown[]> => {
    const options = { timeoutMs: WAIT_MS, owner: ownerOf(tenantId, isFree) };
    const requests = Array.from({ length: tasks }, (_, n) => queue.request('scrape', n, options));
    const answers = Promise.all(requests);
    // Tasks still running at the end of a test fail when the queue is closed.
    answers.catch(() => undefined);
    return answers;
  };
  return { queue, site, ask, consumer };
}

function consumeAt(queue: TaskQueue, handler: TaskHandler): Promise<TaskConsumer> {
  return queue.consume('scrape', { concurrency: CONCURRENCY, isFair: true, handler });
}

/** Handlers that go on until they are ended. */
function tarpit() {
  const running: { readonly owner: TaskOwner | null; readonly end: () => void }[] = [];
  let begun = 0;
  let isOpen = false;
  const handler: TaskHandler = async ({ owner }) => {
    begun++;
    const ending = Promise.withResolvers<void>();
    const end = (): void => {
      running.splice(running.indexOf(work), 1);
      ending.resolve();
    };
    const work = { owner, end };
    running.push(work);
    if (isOpen) work.end();
    await ending.promise;
    return `done for ${owner?.tenantId}`;
  };
  return {
    handler,
    get begun() {
      return begun;
    },
    get running() {
      return running.length;
    },
    get owners() {
      return running.map(({ owner }) => owner);
    },
    count: (tenantId: string) => running.filter(({ owner }) => owner?.tenantId === tenantId).length,
    end: (tenantId: string) => running.find(({ owner }) => owner?.tenantId === tenantId)?.end(),
    /** Ends all tasks, and later ones. */
    open: () => {
      isOpen = true;
      for (const { end } of [...running]) end();
    },
  };
}
