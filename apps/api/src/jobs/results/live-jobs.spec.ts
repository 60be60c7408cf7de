import { loadSettings } from '@app/config';
import { ApiError, type JobStatus } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import type { JobEntity } from '@app/jobs';
import { LiveJobs, type Watch } from './live-jobs.js';

describe('jobs that readers follow', () => {
  let jobs: Map<string, JobEntity>;
  let queries: string[];
  let live: LiveJobs;
  const never = new AbortController().signal;

  beforeEach(() => {
    jobs = new Map();
    queries = [];
    const query = async (
      { name }: { readonly name: string },
      [ids]: readonly (readonly string[])[],
    ) => {
      queries.push(name);
      return name === 'jobs_by_id' ? (ids ?? []).flatMap((one) => jobs.get(one) ?? []) : [];
    };
    const database = { query, asReader: () => ({ query }) };
    const settings = loadSettings({});
    const parts = {
      database,
      settings,
      publicUrl: 'http://a.example',
      downloadSecret: Buffer.alloc(32),
    };
    live = new LiveJobs(parts as unknown as Runtime);
  });

  function job(id: string, over: Partial<JobEntity> = {}): JobEntity {
    const entity = {
      ...{
        id,
        tenantId: 't',
        url: 'http://a.example/',
        status: 'running',
        scraped: 0,
        discovered: 1,
      },
      ...{ pending: 1, leased: 0, failed: 0, skipped: 0, cancelled: 0, createdAt: new Date() },
      ...{ completedAt: null, resultKey: null, error: null, options: {} },
      ...over,
    } as JobEntity;
    jobs.set(id, entity);
    return entity;
  }

  const watchers = (of: JobEntity, count: number): Promise<Watch[]> =>
    Promise.all(Array.from({ length: count }, () => live.watch(of)));
  const apiErrorOf = (asked: Promise<unknown>): Promise<unknown> =>
    asked.then(
      () => 'no refusal',
      (error: unknown) => (error instanceof ApiError ? error.code : error),
    );

  it('cost nothing when there are none', async () => {
    await live.round();
    expect(queries).toEqual([]);
  });

  it('are polled once for all their readers, and their reasons only when they changed', async () => {
    for (const id of ['a', 'b', 'c']) await watchers(job(id, { tenantId: id }), 10);
    queries = [];
    await live.round();
    await live.round();
    expect(queries).toEqual(['jobs_by_id', 'jobs_by_id']);
    job('b', { scraped: 1, pending: 0 });
    queries = [];
    await live.round();
    expect(queries).toEqual(['jobs_by_id', 'reasons_of_jobs']);
  });

  it.each<Partial<JobEntity>>([
    { status: 'processing' as JobStatus },
    { scraped: 1, pending: 0 },
    { discovered: 2, pending: 2 },
    { leased: 1, pending: 0 },
  ])('wake every reader of the changed job: %j', async (change) => {
    const [first, second] = await watchers(job('a'), 2);
    const [other] = await watchers(job('b'), 1);
    let woken = 0;
    const heard = [first, second].map(async (watch) => {
      await watch?.changed(never);
      woken++;
    });
    void other?.changed(never).then(() => (woken += 100));
    await live.round();
    expect(woken).toBe(0);
    job('a', change);
    await live.round();
    await Promise.all(heard);
    expect(woken).toBe(2);
    expect(first?.state?.view.status).toBe(change.status ?? 'running');
  });

  it('are null for their readers once deleted', async () => {
    const [watch] = await watchers(job('a'), 1);
    jobs.clear();
    const heard = watch?.changed(never);
    await live.round();
    await heard;
    expect(watch?.state).toBeNull();
  });

  it('accept 20 readers of a tenant, and another when one has left', async () => {
    const watches = await watchers(job('a'), 20);
    expect(await apiErrorOf(live.watch(job('b')))).toBe('too_many_streams');
    watches[0]?.close();
    watches[0]?.close();
    await live.watch(job('b'));
    expect(await apiErrorOf(live.watch(job('b')))).toBe('too_many_streams');
    await live.watch(job('c', { tenantId: 'other' }));
  });

  it('take 500 readers in all', async () => {
    for (let n = 0; n < 25; n++) await watchers(job(`j${n}`, { tenantId: `t${n}` }), 20);
    expect(await apiErrorOf(live.watch(job('x', { tenantId: 'x' })))).toBe('streams_unavailable');
  });

  it('are forgotten with their last reader', async () => {
    const watches = await watchers(job('a'), 3);
    for (const watch of watches) watch.close();
    queries = [];
    await live.round();
    expect(queries).toEqual([]);
  });

  it('release their readers when the process stops, and accept none', async () => {
    const [watch] = await watchers(job('a'), 1);
    const heard = watch?.changed(never);
    live.stop();
    await heard;
    expect(watch?.isStopping).toBe(true);
    expect(await apiErrorOf(live.watch(job('b')))).toBe('draining');
  });
});
