import { Deadline } from '@app/contracts';
import type { LeaseRequest } from './pool-options.js';
import { WaitingLine, type PageTurn } from './waiting-line.js';

const CAPACITY = 8;
const SLOTS = 12;

/** A line whose tasks are named by their tenant. */
function lineOf() {
  const line = new WaitingLine<string>(1_000);
  const abort = new AbortController();
  const served: string[] = [];
  const ask = (tenantId: string, over: Partial<LeaseRequest> = {}, isFree = false): void => {
    const request: LeaseRequest = {
      country: null,
      stealth: false,
      mobile: false,
      viewport: { width: 800, height: 600 },
      contextKey: null,
      priority: 'interactive',
      owner: { tenantId, isFree },
      deadline: Deadline.after(60_000),
      signal: abort.signal,
      ...over,
    };
    line.join(request).then(
      () => served.push(tenantId),
      () => undefined,
    );
  };
  /**
   * Grants page slots until no task may have one, or none is left. Returns the turns, by tenant.
   */
  const held: { readonly turn: PageTurn<string>; name: string }[] = [];
  const serve = async (): Promise<readonly string[]> => {
    const from = served.length;
    while (held.length < SLOTS) {
      const turn = line.next(CAPACITY);
      if (turn === null) break;
      const before = served.length;
      turn.give(() => Promise.resolve('page'));
      for (let n = 0; n < 10 && served.length === before; n++) await Promise.resolve();
      held.push({ turn, name: served.at(-1) ?? '' });
    }
    return served.slice(from);
  };
  const end = (tenantId: string): void => {
    const index = held.findIndex(({ name }) => name === tenantId);
    held.splice(index, 1)[0]?.turn.release();
  };
  return { line, ask, serve, end, stop: () => abort.abort() };
}

const times = (count: number, act: () => void): void => {
  for (let n = 0; n < count; n++) act();
};

describe('the line for page slots', () => {
  let stop: () => void = () => undefined;
  afterEach(() => stop());
  const opened = () => {
    const one = lineOf();
    ({ stop } = one);
    return one;
  };

  it('lets a tenant have its pages: the next one gets one at once', async () => {
    const { ask, serve, line } = opened();
    times(20, () => ask('greedy'));
    expect(await serve()).toEqual(Array<string>(CAPACITY).fill('greedy'));
    ask('next');
    expect(await serve()).toEqual(['next']);
    ask('third');
    expect(await serve()).toEqual(['third']);
    expect(line.length).toBe(12);
  });

  it('assigns a free slot to the tenant with the fewest pages', async () => {
    const { ask, serve, end } = opened();
    times(20, () => ask('a'));
    await serve();
    times(3, () => ask('b'));
    expect(await serve()).toEqual(['b', 'b']);
    end('a');
    end('a');
    expect(await serve()).toEqual(['b']);
  });

  it('limits all tenants on the free plan to half of the pages', async () => {
    const { ask, serve } = opened();
    for (let n = 0; n < 20; n++) ask(`free ${n}`, {}, true);
    expect(await serve()).toHaveLength(CAPACITY / 2);
    ask('paid');
    expect(await serve()).toEqual(['paid']);
  });

  it('limits pages of crawls to those of a tenant, and interactive ones are first', async () => {
    const { ask, serve } = opened();
    times(20, () => ask('crawl', { priority: 'crawl' }));
    expect(await serve()).toHaveLength(CAPACITY);
    ask('paid');
    expect(await serve()).toEqual(['paid']);
  });

  it('gives a slot that fits some tasks to the tenant whose turn it is, or to none', () => {
    const { line, ask } = opened();
    const fits = ({ contextKey }: LeaseRequest) => contextKey === 'b host';
    ask('a', { contextKey: 'a host' });
    ask('b', { contextKey: 'b other' });
    ask('b', { contextKey: 'b host' });
    expect(line.next(CAPACITY, fits)).toBeNull();
    expect(line.next(CAPACITY)).not.toBeNull();
    expect(line.next(CAPACITY, fits)).not.toBeNull();
    expect(line.length).toBe(1);
  });

  it('serves tasks without an owner each by itself', async () => {
    const { ask, serve } = opened();
    times(20, () => ask('tenant', { owner: undefined }));
    expect(await serve()).toHaveLength(SLOTS);
  });

  it('removes a caller that gave up', async () => {
    const { line, ask, serve, stop: giveUp } = opened();
    times(3, () => ask('a'));
    giveUp();
    expect(line.length).toBe(0);
    expect(await serve()).toEqual([]);
    expect(line.clear()).toEqual([]);
  });

  it('removes every task, whether it could have a slot or not', () => {
    const { line, ask } = opened();
    times(20, () => ask('a'));
    times(2, () => ask('c', { priority: 'crawl' }));
    expect(line.clear()).toHaveLength(22);
    expect([line.length, line.next(CAPACITY)]).toEqual([0, null]);
  });
});
