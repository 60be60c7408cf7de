import { Metrics } from '@app/telemetry';
import { FrontierFixture } from '../../test/frontier-fixture.js';
import { countJobs, jobBacklog } from './job-backlog.js';

describe('the backlog of jobs', () => {
  let fixture: FrontierFixture;
  beforeAll(async () => {
    fixture = await FrontierFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(() => fixture.run('TRUNCATE jobs, hosts, outbox CASCADE'));

  it('is empty without jobs', async () => {
    expect(await jobBacklog(fixture.database)).toEqual([]);
  });

  it('counts jobs that request pages, and the wait of the oldest that has begun none', async () => {
    const [first, second, ended] = [
      await fixture.start({ pageLimit: 1 }),
      await fixture.start({ pageLimit: 1 }),
      await fixture.start({ pageLimit: 1 }),
    ];
    const put = (id: string, status: string, age: string) =>
      fixture.run(
        `UPDATE jobs SET status = '${status}', created_at = now() - interval '${age}' WHERE id = '${id}'`,
      );
    await put(first, 'queued', '100 s');
    await put(second, 'running', '900 s');
    await put(ended, 'completed', '9 days');
    const metrics = new Metrics();
    await countJobs({ database: fixture.database, metrics });
    const text = await metrics.registry.metrics();
    expect(text).toContain('trawl_jobs_active{type="crawl"} 2');
    expect(text).toContain('trawl_jobs_active{type="batch"} 0');
    const age = Number(
      /^trawl_queue_oldest_message_age_seconds\{queue="crawl"\} (\S+)$/m.exec(text)?.[1],
    );
    expect(age).toBeGreaterThanOrEqual(100);
    expect(age).toBeLessThan(400);
  });
});
