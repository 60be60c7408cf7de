import { cancelJob } from '@app/jobs';
import { seededRandom, until } from '@app/testing';
import { deploy, MODES, startStandalone, type Deployment } from './deployment.js';
import { replace } from './fault-run.js';
import { idsOf, WebhookRun } from './webhook-run.js';

/** Time of one attempt: so long that on a busy machine, too, only a receiver that hangs exceeds it. */
const TIMEOUT_MS = 5_000;
/** A killed process's receivers are free again after the time of an attempt and this. */
const LEASE_SLACK_MS = 15_000;
const ENV = {
  BROWSER_MAX: '0',
  WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS),
  HOST_WINDOW_START: '8',
  DRAIN_SECONDS: '10',
};

/** One receiver has one webhook in flight, so a kill makes one come twice at most. */
const KILLS = 4;
/**
 * A delivery that was in the hands of a killed process is sent again within this time, even if a busy machine lets the first
 * attempts after it time out.
 */
const TAKEN_OVER_MS = TIMEOUT_MS + LEASE_SLACK_MS + 80_000;

describe.each(MODES)('webhooks of processes that stop, %s', (mode) => {
  let run: WebhookRun<Deployment>;

  beforeAll(async () => {
    run = await WebhookRun.start(() => deploy(mode, { env: ENV }));
  });
  afterAll(() => run?.stop());
  beforeEach(() => run.renewReceiver());
  afterEach(() => run.closeReceivers());

  /** A new process, ready, in place of the one that serves the API, which is killed if it still runs. */
  async function restart(env = run.service.env): Promise<void> {
    const { service } = run;
    const [old] = service.apps;
    if (!old) throw new Error('no API');
    if (mode === 'cluster') {
      await replace({ ...service, env }, old);
    } else {
      await old.process.kill9();
      service.apps[0] = await startStandalone({ ...env, PORT: new URL(old.url).port });
    }
    await until(async () => (await fetch(`${service.url}/health/ready`)).ok, {
      what: 'a ready API',
      timeoutMs: 30_000,
    });
  }

  it('is retried after a receiver that did not answer in time, under the same id', async () => {
    run.receiver.nextModes.push('hang');
    const jobId = await run.crawl();
    const delivery = await run.inState(jobId, 'delivered');
    expect(delivery).toMatchObject({
      attempt_count: 2,
      attempts: [{ error: 'timeout' }, { no: 2, status: 200, error: null }],
    });
    expect(idsOf(run.sentFor(jobId))).toEqual(new Set([delivery.id]));
  });

  it('survives kill -9 between sending and recording: delivered again, under the same id', async () => {
    run.receiver.mode = 'hang';
    const jobId = await run.crawl();
    await until(() => run.sentFor(jobId).length === 1, {
      what: 'the first attempt',
      timeoutMs: 30_000,
    });
    await restart();
    run.receiver.mode = 'ok';
    const delivery = await run.inState(jobId, 'delivered', TAKEN_OVER_MS);
    expect(delivery.attempts[0]).toMatchObject({ no: 1, status: null, error: 'interrupted' });
    expect(delivery.attempts.at(-1)).toMatchObject({ status: 200, error: null });
    expect(idsOf(run.sentFor(jobId))).toEqual(new Set([delivery.id]));
    expect(run.sentFor(jobId)).toHaveLength(delivery.attempts.length);
  });

  it('survives kill -9 between the end of the job and sending', async () => {
    const jobId = await run.crawl(run.receiver.url, 900);
    const [api] = run.service.apps;
    if (mode === 'cluster') {
      // The database goes on: the job ends while no process is there to send anything.
      await api?.process.kill9();
      const text = 'SELECT tenant_id AS "tenantId" FROM jobs WHERE id = $1';
      const [job] = await run.service.database.query<{ tenantId: string }>(
        { name: 'owner', text },
        [jobId],
      );
      await cancelJob(run.service.database, job?.tenantId ?? '', jobId);
    } else {
      // The database dies with the process: at the answer the end is committed, and little more.
      await run.service.client.cancel(jobId);
    }
    await restart();
    const delivery = await run.inState(jobId, 'delivered', TAKEN_OVER_MS);
    expect(idsOf(run.sentFor(jobId))).toEqual(new Set([delivery.id]));
    expect(delivery.event).toBe('crawl.cancelled');
  });

  it('survives kill -9 at random moments: each job is notified at least once, under one id', async () => {
    const random = seededRandom(mode === 'cluster' ? 301 : 302);
    const jobs: string[] = [];
    for (let n = 0; n < 12; n++)
      jobs.push(await run.crawl(`${run.receiver.url}/${n}`, 1 + (n % 4)));
    for (let n = 0; n < KILLS; n++) {
      const [from, waitMs] = [performance.now(), random.int(0, 800)];
      await until(() => performance.now() - from >= waitMs, { what: 'a moment', intervalMs: 5 });
      await restart();
    }
    const ids = new Set<string>();
    for (const jobId of jobs) {
      // A finisher that was killed keeps its job for a minute.
      const { id, event } = await run.inState(jobId, 'delivered', 100_000);
      expect(event).toBe('crawl.completed');
      expect(idsOf(run.sentFor(jobId))).toEqual(new Set([id]));
      ids.add(id);
    }
    expect(ids.size).toBe(jobs.length);
    expect(run.receiver.received.length).toBeLessThanOrEqual(jobs.length + KILLS);
  });

  it('SIGTERM does not wait for a receiver, and releases the webhook', async () => {
    // So long that the attempt is in flight when the process has to stop.
    const patient = { ...run.service.env, WEBHOOK_TIMEOUT_MS: '60000' };
    await restart(patient);
    run.receiver.mode = 'hang';
    const jobId = await run.crawl();
    await until(() => run.sentFor(jobId).length === 1, { what: 'the attempt', timeoutMs: 30_000 });
    const startedAt = performance.now();
    expect(await run.service.apps[0]?.process.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(performance.now() - startedAt).toBeLessThan(9_000);
    run.receiver.mode = 'ok';
    await restart();
    const delivery = await run.inState(jobId, 'delivered');
    expect(delivery.attempts).toMatchObject([{ error: 'interrupted' }, { status: 200 }]);
    expect(idsOf(run.sentFor(jobId))).toEqual(new Set([delivery.id]));
  });
});
