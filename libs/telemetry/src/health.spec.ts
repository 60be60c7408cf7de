import { Health } from './health.js';
import { readinessBody } from './ops-server.js';

const up = { name: 'database', fix: 'start it', check: () => Promise.resolve() };
const down = {
  name: 'broker',
  fix: 'start that',
  check: () => Promise.reject(new Error('refused')),
};

describe('Health', () => {
  it('is not ready before anything is watched', async () => {
    expect((await new Health().readiness()).ready).toBe(false);
  });

  it('is ready when every dependency answers', async () => {
    const health = new Health();
    health.watch([up]);
    const readiness = await health.readiness();
    expect(readinessBody(readiness, false)).toEqual({ status: 'ready' });
  });

  it('names the one that does not, and the fix', async () => {
    const health = new Health();
    health.watch([up, down]);
    const readiness = await health.readiness();
    expect(readiness.ready).toBe(false);
    expect(readiness.dependencies[1]).toMatchObject({
      name: 'broker',
      ok: false,
      problem: 'refused',
      fix: 'start that',
    });
  });

  it('takes further checks', async () => {
    const health = new Health();
    health.watch([up]);
    health.require(down);
    expect((await health.readiness()).dependencies.map(({ ok }) => ok)).toEqual([true, false]);
  });

  it('is ready without what it can work without, which it reports', async () => {
    const health = new Health();
    health.watch([up, { ...down, isNeeded: false }]);
    expect(readinessBody(await health.readiness(), true)).toMatchObject({
      status: 'ready',
      dependencies: [{ ok: true }, { name: 'broker', ok: false, fix: 'start that' }],
    });
  });

  it('is not ready while draining, though all is well', async () => {
    const health = new Health();
    health.watch([up]);
    health.startDraining();
    expect(readinessBody(await health.readiness(), false)).toEqual({ status: 'draining' });
  });

  it('ends a check that hangs', async () => {
    jest.useFakeTimers();
    const health = new Health();
    health.watch([{ ...up, check: () => new Promise(() => undefined) }]);
    const asked = health.readiness();
    await jest.advanceTimersByTimeAsync(3_000);
    expect((await asked).dependencies[0]).toMatchObject({
      ok: false,
      problem: 'no response in 3000 ms',
    });
    jest.useRealTimers();
  });
});
