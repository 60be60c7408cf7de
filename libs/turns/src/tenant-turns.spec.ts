import fc from 'fast-check';
import type { TaskOwner } from '@app/contracts';
import { slotsByTenant, slotsInOrder, TenantTurns } from './tenant-turns.js';

const owner = (tenantId: string, isFree = false): TaskOwner => ({ tenantId, isFree });

/** Turns with items that are their owners' names. */
function turnsOf(concurrency: number) {
  const turns = new TenantTurns<string>(slotsByTenant(concurrency));
  const add = (tenantId: string, count: number, isFree = false): void => {
    for (let n = 0; n < count; n++) turns.add(tenantId, owner(tenantId, isFree));
  };
  const begin = (): readonly string[] => {
    const begun: string[] = [];
    for (let next = turns.next(); next !== null; next = turns.next()) begun.push(next);
    return begun;
  };
  return { turns, add, begin };
}

/** Turns of one slot. */
function oneSlot() {
  const turns = new TenantTurns<string>({ total: 1 });
  const add = (tenantId: string, count: number): void => {
    for (let n = 0; n < count; n++) turns.add(tenantId, owner(tenantId));
  };
  const nextAfter = (held: string): string | null => {
    turns.release(owner(held));
    return turns.next();
  };
  return { turns, add, nextAfter };
}

const count = (begun: readonly string[], tenantId: string): number =>
  begun.filter((one) => one === tenantId).length;

describe('the turns of tenants', () => {
  it.each([1, 2, 3, 4, 5, 8, 16, 17, 64, 1_000])(
    'give a tenant that is alone exactly %i slots, and the next one a slot at once',
    (concurrency) => {
      const { add, begin, turns } = turnsOf(concurrency);
      add('a', concurrency + 5);
      expect(begin()).toHaveLength(concurrency);
      expect(turns.waiting).toBe(5);
      add('b', 1);
      expect(begin()).toEqual(['b']);
    },
  );

  it('leave a slot for each of several tenants that come after greedy ones', () => {
    const { add, begin } = turnsOf(8);
    add('a', 100);
    expect(begin()).toHaveLength(8);
    add('b', 100);
    expect(begin()).toEqual(['b', 'b']);
    add('c', 100);
    expect(begin()).toEqual(['c']);
    add('d', 100);
    expect(begin()).toEqual(['d']);
  });

  it('share the slots evenly between tenants that come together', () => {
    const { add, begin } = turnsOf(8);
    add('a', 100);
    add('b', 100);
    const begun = begin();
    expect([count(begun, 'a'), count(begun, 'b')]).toEqual([5, 4]);
  });

  it('pass a slot that ends to the tenant that holds the fewest, then to the one that waits longest', () => {
    const { add, begin, turns } = turnsOf(4);
    add('a', 6);
    add('b', 3);
    expect(begin()).toEqual(['a', 'b', 'a', 'b']);
    add('c', 1);
    add('d', 1);
    add('e', 1);
    expect(begin()).toEqual(['c', 'd']);
    turns.release(owner('b'));
    expect(begin()).toEqual(['e']);
    turns.release(owner('c'));
    turns.release(owner('d'));
    expect(begin()).toEqual(['b']);
    turns.release(owner('a'));
    turns.release(owner('e'));
    expect(begin()).toEqual(['a']);
  });

  it('with one slot pass it from tenant to tenant, whatever one of them has waiting', () => {
    const { turns, add, nextAfter } = oneSlot();
    for (const [name, count] of Object.entries({ a: 4, b: 2, c: 1 })) add(name, count);
    const order = [turns.next()];
    while (turns.waiting > 0) order.push(nextAfter(order.at(-1) ?? ''));
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a']);
  });

  it('let no stream of new tenants pass one that waits', () => {
    const { turns, add, nextAfter } = oneSlot();
    add('first', 1);
    turns.next();
    add('waits', 2);
    add('new 0', 1);
    const order = [nextAfter('first')];
    for (let n = 1; n < 4; n++) {
      add(`new ${n}`, 1);
      order.push(nextAfter(order.at(-1) ?? ''));
    }
    expect(order).toEqual(['waits', 'new 0', 'new 1', 'waits']);
  });

  it('let a tenant hold no more than its number of slots, and the others the rest', () => {
    const turns = new TenantTurns<string>({ total: 3, perTenant: 2 });
    for (const name of ['a', 'a', 'a', 'a']) turns.add(name, owner(name));
    expect([turns.next(), turns.next(), turns.next()]).toEqual(['a', 'a', null]);
    turns.add('b', owner('b'));
    expect([turns.next(), turns.next()]).toEqual(['b', null]);
    turns.release(owner('b'));
    expect(turns.next()).toBeNull();
    turns.release(owner('a'));
    expect(turns.next()).toBe('a');
  });

  it('without a bound let one tenant that is alone hold all slots', () => {
    const turns = new TenantTurns<string>({ total: 3 });
    for (let n = 0; n < 4; n++) turns.add('a', owner('a', true));
    expect([turns.next(), turns.next(), turns.next(), turns.next()]).toEqual(['a', 'a', 'a', null]);
    expect(turns.free).toBe(0);
  });

  it('assign a slot to the tenant whose turn it is among those with a task that fits', () => {
    const turns = new TenantTurns<string>({ total: 3 });
    for (const name of ['a long', 'a short', 'b short']) turns.add(name, owner(name.charAt(0)));
    const isShort = (name: string): boolean => name.endsWith('short');
    expect(turns.peek(isShort)).not.toBeNull();
    expect([turns.next(isShort), turns.next(isShort)]).toEqual(['a short', 'b short']);
    expect([turns.peek(isShort), turns.next(isShort), turns.next()]).toEqual([
      ...[null, null, 'a long'],
    ]);
  });

  it('count the waiting tasks of a tenant, and of the free plan together', () => {
    const { add, turns } = turnsOf(4);
    add('paid', 2);
    for (const name of ['x', 'y']) add(name, 3, true);
    const counted = [owner('paid'), owner('x', true), owner('z', true), owner('z')];
    expect(counted.map((one) => turns.waitingOf(one))).toEqual([2, 6, 6, 0]);
  });

  it.each([
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 2],
    [8, 4],
    [16, 8],
  ])('with %i slots let all tenants on the free plan hold %i of them', (concurrency, share) => {
    const { add, begin } = turnsOf(concurrency);
    for (let n = 0; n < 50; n++) add(`free ${n}`, 2, true);
    expect(begin()).toHaveLength(share);
    add('paid', 1);
    expect(begin()).toEqual(['paid']);
  });

  it('treat tasks without an owner as those of one tenant', () => {
    const turns = new TenantTurns<number>(slotsByTenant(2));
    for (let n = 0; n < 4; n++) turns.add(n, null);
    expect([turns.next(), turns.next(), turns.next()]).toEqual([0, 1, null]);
    turns.release(null);
    expect(turns.next()).toBe(2);
  });

  it('remove waiting tasks in the order of their arrival', () => {
    const { add, turns, begin } = turnsOf(1);
    for (const name of ['a', 'b', 'a', 'c']) add(name, 1);
    expect(turns.remove((name) => name !== 'c')).toEqual(['a', 'b', 'a']);
    expect(turns.waiting).toBe(1);
    expect(begin()).toEqual(['c']);
  });

  it('drop tenants that neither hold a slot nor wait', () => {
    const { add, begin, turns } = turnsOf(4);
    add('a', 1, true);
    begin();
    turns.release(owner('a', true));
    // The same tenant on a paid plan: it is no longer bound to the share of the free plan.
    add('a', 4, false);
    expect(begin()).toHaveLength(4);
  });

  it('without turns keep to the order of arrival and the number of slots', () => {
    const turns = new TenantTurns<number>(slotsInOrder(3));
    const tenants = ['a', 'a', 'a', 'b', 'c'];
    tenants.forEach((tenantId, n) => turns.add(n, owner(tenantId, true)));
    expect([turns.next(), turns.next(), turns.next(), turns.next()]).toEqual([0, 1, 2, null]);
  });

  describe('any sequence of tasks', () => {
    const TENANTS = 6;
    const step = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), tenant: fc.nat(TENANTS - 1) }),
      fc.record({ kind: fc.constant('end' as const), pick: fc.nat() }),
    );
    const steps = fc.array(step, { maxLength: 300 });
    const concurrencies = fc.integer({ min: 1, max: 24 });
    /** The first half of the tenants is on the free plan. */
    const ownerAt = (tenant: number): TaskOwner => owner(`t${tenant}`, tenant < TENANTS / 2);

    interface Run {
      readonly turns: TenantTurns<number>;
      readonly held: number[];
      readonly waiting: number[];
    }

    /** Starts every task that may run after each step, then checks. */
    function play(
      concurrency: number,
      moves: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[],
      check: (run: Run) => void,
    ): Run {
      const run: Run = {
        turns: new TenantTurns(slotsByTenant(concurrency)),
        held: [],
        waiting: [],
      };
      for (const move of moves) {
        if (move.kind === 'add') {
          run.turns.add(move.tenant, ownerAt(move.tenant));
          run.waiting.push(move.tenant);
        } else if (run.held.length > 0) {
          const [ended = 0] = run.held.splice(move.pick % run.held.length, 1);
          run.turns.release(ownerAt(ended));
        }
        beginAll(run);
        check(run);
      }
      return run;
    }

    function beginAll({ turns, held, waiting }: Run): void {
      for (let next = turns.next(); next !== null; next = turns.next()) {
        held.push(next);
        waiting.splice(waiting.indexOf(next), 1);
      }
    }

    const heldBy = (held: readonly number[], tenant: number): number =>
      held.filter((one) => one === tenant).length;

    it('never exceed the slots, the part of one tenant, or the share of the free plan', () => {
      fc.assert(
        fc.property(concurrencies, steps, (concurrency, moves) => {
          const { total, free = total } = slotsByTenant(concurrency);
          play(concurrency, moves, ({ held, waiting, turns }) => {
            expect(turns.waiting).toBe(waiting.length);
            expect(held.length).toBeLessThanOrEqual(total);
            expect(held.filter((one) => one < TENANTS / 2).length).toBeLessThanOrEqual(free);
            for (let tenant = 0; tenant < TENANTS; tenant++)
              expect(heldBy(held, tenant)).toBeLessThanOrEqual(concurrency);
          });
        }),
      );
    });

    it('let no slot below `concurrency` idle while a paying tenant waits', () => {
      fc.assert(
        fc.property(concurrencies, steps, (concurrency, moves) => {
          play(concurrency, moves, ({ held, waiting }) => {
            if (waiting.some((tenant) => tenant >= TENANTS / 2))
              expect(held.length).toBeGreaterThanOrEqual(concurrency);
          });
        }),
      );
    });

    it('let no tenant without a slot wait while a slot of its part is empty', () => {
      fc.assert(
        fc.property(concurrencies, steps, (concurrency, moves) => {
          const { total, free = total } = slotsByTenant(concurrency);
          play(concurrency, moves, ({ held, waiting }) => {
            const heldByFree = held.filter((one) => one < TENANTS / 2).length;
            for (const tenant of new Set(waiting)) {
              const isFreeFull = tenant < TENANTS / 2 && heldByFree >= free;
              if (heldBy(held, tenant) === 0)
                expect(held.length === total || isFreeFull).toBe(true);
            }
          });
        }),
      );
    });

    it('begin every task as long as those that were begun end', () => {
      fc.assert(
        fc.property(concurrencies, steps, (concurrency, moves) => {
          const run = play(concurrency, moves, () => undefined);
          for (let tasks = run.held.length + run.waiting.length; tasks > 0; tasks--) {
            run.turns.release(ownerAt(run.held.shift() ?? 0));
            beginAll(run);
          }
          expect(run.waiting).toEqual([]);
        }),
      );
    });
  });
});
