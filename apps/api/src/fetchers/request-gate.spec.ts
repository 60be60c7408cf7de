import { RequestTimeoutError, QueueFullError } from '@app/broker';
import type { TaskOwner } from '@app/contracts';
import { RequestGate } from './request-gate.js';

const OUTSTANDING = 4;
const FREE_SHARE = 2;
const MAX_WAITING = 3;
const HOUR_MS = 3_600_000;

/** Ends the requests that a test leaves in the queue. */
let closing = new AbortController();
afterEach(() => {
  closing.abort(new Error('the test has ended'));
  closing = new AbortController();
});
const later = () => ({ deadlineAtMs: Date.now() + HOUR_MS, signal: closing.signal });

const owner = (tenantId: string, isFree = false): TaskOwner => ({ tenantId, isFree });
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A gate before work that continues until the test ends it. */
function gated(maxWaiting?: number) {
  const gate = new RequestGate({ outstanding: OUTSTANDING, maxWaiting });
  const running: { readonly tenantId: string; readonly end: () => void }[] = [];
  const ask = (
    tenant: TaskOwner,
    more: { readonly deadlineAtMs?: number; readonly signal?: AbortSignal } = {},
  ): Promise<string> =>
    gate.run({ owner: tenant, ...later(), ...more }, async () => {
      const ending = Promise.withResolvers<void>();
      const work = { tenantId: tenant.tenantId, end: ending.resolve };
      running.push(work);
      await ending.promise;
      running.splice(running.indexOf(work), 1);
      return tenant.tenantId;
    });
  /** Starts requests and ignores their outcome. */
  const askMany = async (tenant: TaskOwner, count: number): Promise<void> => {
    for (let n = 0; n < count; n++) ask(tenant).catch(() => undefined);
    await settled();
  };
  const count = (tenantId: string): number =>
    running.filter((work) => work.tenantId === tenantId).length;
  const end = async (tenantId: string): Promise<void> => {
    running.find((work) => work.tenantId === tenantId)?.end();
    await settled();
  };
  return { gate, ask, askMany, running, count, end };
}

describe('the gate before a queue', () => {
  it('lets a single tenant run its maximum, and starts another tenant at once', async () => {
    const { gate, askMany, count } = gated();
    await askMany(owner('a'), OUTSTANDING + 2);
    expect([count('a'), gate.waiting]).toEqual([OUTSTANDING, 2]);
    await askMany(owner('b'), 1);
    expect(count('b')).toBe(1);
  });

  it('limits the free plan as a whole to half, even when it is alone', async () => {
    const { askMany, running, count } = gated();
    for (let n = 0; n < 20; n++) await askMany(owner(`free ${n}`, true), 5);
    expect(running).toHaveLength(FREE_SHARE);
    await askMany(owner('paid'), 1);
    expect(count('paid')).toBe(1);
  });

  it('returns the result of the work, and propagates its errors', async () => {
    const { gate, ask, askMany, end } = gated();
    const answer = ask(owner('a'));
    await settled();
    await end('a');
    expect(await answer).toBe('a');
    const broken = gate.run({ owner: owner('a'), ...later() }, () =>
      Promise.reject(new Error('no')),
    );
    await expect(broken).rejects.toThrow('no');
    await askMany(owner('a'), OUTSTANDING);
    expect(gate.waiting).toBe(0);
  });

  it('rejects a tenant that exceeds its waiting limit, and no other', async () => {
    const { gate, ask, askMany, count } = gated(MAX_WAITING);
    await askMany(owner('a'), OUTSTANDING + MAX_WAITING);
    expect(gate.waiting).toBe(MAX_WAITING);
    await expect(ask(owner('a'))).rejects.toBeInstanceOf(QueueFullError);
    await askMany(owner('b'), 2);
    expect([count('b'), gate.waiting]).toEqual([1, MAX_WAITING + 1]);
  });

  it('counts the waiting requests of the free plan together', async () => {
    const { gate, ask, askMany, end } = gated(MAX_WAITING);
    for (let n = 0; n < FREE_SHARE + MAX_WAITING; n++) await askMany(owner(`free ${n}`, true), 1);
    expect(gate.waiting).toBe(MAX_WAITING);
    await expect(ask(owner('late', true))).rejects.toBeInstanceOf(QueueFullError);
    await end('free 0');
    await askMany(owner('late', true), 1);
    expect(gate.waiting).toBe(MAX_WAITING);
  });

  it('rejects a request whose turn did not come by its deadline, and removes it', async () => {
    const { gate, ask, askMany, count, end } = gated();
    await askMany(owner('a'), OUTSTANDING);
    const late = ask(owner('a'), { deadlineAtMs: Date.now() });
    await expect(late).rejects.toBeInstanceOf(RequestTimeoutError);
    expect(gate.waiting).toBe(0);
    await end('a');
    expect(count('a')).toBe(OUTSTANDING - 1);
  });

  it('does not admit a request that disconnected before', async () => {
    const { gate, ask, running } = gated();
    const gone = ask(owner('a'), { signal: AbortSignal.abort(new Error('gone')) });
    await expect(gone).rejects.toThrow('gone');
    expect([running.length, gate.waiting]).toEqual([0, 0]);
  });

  it('starts no work for a request that disconnected the moment its turn came', async () => {
    const { ask, askMany, running, count } = gated();
    await askMany(owner('a'), OUTSTANDING);
    const hangUp = new AbortController();
    const unlucky = ask(owner('a'), { signal: hangUp.signal });
    await settled();
    running[0]?.end();
    await Promise.resolve();
    hangUp.abort(new Error('gone'));
    await expect(unlucky).rejects.toThrow('gone');
    await settled();
    expect(count('a')).toBe(OUTSTANDING - 1);
    await askMany(owner('a'), 1);
    expect(count('a')).toBe(OUTSTANDING);
  });
});
