import { MAX_HITS, TenantCooldown, WINDOW_MS } from './scan.consumer.js';

const COOLDOWN_MS = 10 * 60_000;

describe('TenantCooldown', () => {
  let nowMs = 1_000_000;
  const open = (maxTenants?: number): TenantCooldown =>
    new TenantCooldown({
      cooldownMs: COOLDOWN_MS,
      now: () => nowMs,
      ...(maxTenants === undefined ? {} : { maxTenants }),
    });
  const hit = (cooldown: TenantCooldown, times: number, tenantId = 't'): boolean[] =>
    Array.from({ length: times }, () => cooldown.hit(tenantId));

  it.each([
    [4, false],
    [5, true],
  ])('after %i scans that hit the hard limit the tenant cools down: %s', (hits, isCooling) => {
    const cooldown = open();
    hit(cooldown, hits);
    expect(cooldown.isCooling('t')).toBe(isCooling);
    expect(cooldown.isCooling('other')).toBe(false);
  });

  it('reports the hit that starts it, once', () => {
    expect(hit(open(), 8)).toEqual([false, false, false, false, true, false, false, false]);
  });

  it.each([
    [WINDOW_MS - 1, true],
    [WINDOW_MS, false],
  ])('five scans within %i ms: %s', (ms, isCooling) => {
    const cooldown = open();
    hit(cooldown, 4);
    nowMs += ms;
    cooldown.hit('t');
    expect(cooldown.isCooling('t')).toBe(isCooling);
  });

  it('forgets only old hits', () => {
    const cooldown = open();
    cooldown.hit('t');
    nowMs += WINDOW_MS - 1;
    hit(cooldown, 3);
    nowMs += 1;
    expect(cooldown.hit('t')).toBe(false);
    expect(cooldown.hit('t')).toBe(true);
  });

  it('ends after its time, and needs five more to start again', () => {
    const cooldown = open();
    hit(cooldown, MAX_HITS);
    nowMs += COOLDOWN_MS - 1;
    expect(cooldown.isCooling('t')).toBe(true);
    nowMs += 1;
    expect(cooldown.isCooling('t')).toBe(false);
    expect(hit(cooldown, 5)).toEqual([false, false, false, false, true]);
  });

  it('is not extended by scans that were running when it started', () => {
    const cooldown = open();
    hit(cooldown, MAX_HITS);
    nowMs += COOLDOWN_MS - 1;
    cooldown.hit('t');
    nowMs += 1;
    expect(cooldown.isCooling('t')).toBe(false);
    expect(hit(cooldown, 4)).toEqual([false, false, false, false]);
  });

  it('remembers a limited number of tenants: the one hit longest ago is forgotten', () => {
    const cooldown = open(3);
    for (const tenantId of ['a', 'b', 'c']) hit(cooldown, 4, tenantId);
    cooldown.hit('a');
    cooldown.hit('d');
    expect(cooldown.size).toBe(3);
    expect(cooldown.isCooling('a')).toBe(true);
    expect(cooldown.hit('c')).toBe(true);
    expect(cooldown.hit('b')).toBe(false);
    for (let n = 0; n < 1_000; n++) cooldown.hit(`tenant ${n}`);
    expect(cooldown.size).toBe(3);
  });
});
