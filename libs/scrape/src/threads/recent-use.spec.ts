import { RecentUse } from './slots.js';

describe('the time that the work of a tenant took of late', () => {
  let nowMs: number;
  let use: RecentUse;
  beforeEach(() => {
    nowMs = 0;
    use = new RecentUse(() => nowMs);
  });
  const work = (tenantId: string, ms: number, usedMs?: number): void => {
    const usage = use.begin(tenantId);
    nowMs += ms;
    usage.end(usedMs);
  };

  it('is little for short work, and at first', () => {
    expect(use.isLittle('a')).toBe(true);
    for (let n = 0; n < 1_000; n++) {
      work('a', 10);
      nowMs += 90;
    }
    expect(use.isLittle('a')).toBe(true);
  });

  it('is much for long work, also while it runs, and not for other tenants', () => {
    const usage = use.begin('a');
    nowMs += 5_000;
    expect([use.isLittle('a'), use.isLittle('b')]).toEqual([false, true]);
    usage.end();
    expect(use.isLittle('a')).toBe(false);
  });

  it('is the CPU time that the work reports, without waits for others', () => {
    work('a', 5_000, 50);
    expect(use.isLittle('a')).toBe(true);
  });

  it('is forgotten', () => {
    work('a', 5_000);
    nowMs += 60_000;
    expect(use.isLittle('a')).toBe(true);
  });
});
