import { Deadline, type Rung } from '@app/contracts';
import { runCascade, type Assessment } from './cascade.js';
import type { FetchedPage, FetchRung, RungResult } from './fetch-rung.js';

const PAGE: FetchedPage = {
  url: 'http://a.example/',
  statusCode: 200,
  contentType: 'text/html',
  body: new Uint8Array(),
  bytes: 0,
  isCut: false,
  redirects: 0,
  timings: {},
};
const OK: RungResult = { ok: true, page: PAGE };
const TIMEOUT: RungResult = {
  ok: false,
  failure: { errorClass: 'timeout', problem: 'slow', statusCode: null, retryAfterMs: null },
};

const rung = (name: Rung, result: RungResult): FetchRung => ({
  rung: name,
  fetchMethod: name === 'unblock' ? 'fetch' : name,
  fetch: () => Promise.resolve(result),
});
const complete = (): Promise<Assessment<string>> =>
  Promise.resolve({ content: 'c', shortcoming: null });
const empty = (): Promise<Assessment<string>> =>
  Promise.resolve({ content: '', shortcoming: 'empty' });

const run = (
  rungs: readonly FetchRung[],
  assess: (page: FetchedPage) => Promise<Assessment<string>> = complete,
  deadline = Deadline.after(10_000),
) => runCascade({ rungs, assess, request: { url: new URL(PAGE.url), deadline, maxBytes: 1 } });

describe('runCascade', () => {
  it('stops at the first rung that brings complete content', async () => {
    const outcome = await run([rung('plain', OK), rung('headless', OK)]);
    expect(outcome).toMatchObject({
      kind: 'served',
      fetchMethod: 'plain',
      partialReason: null,
      report: { level: 1, attempts: [{ rung: 'plain', level: 1, ok: true, errorClass: null }] },
    });
  });

  it('goes up after a failure and tells both attempts', async () => {
    const outcome = await run([rung('plain', TIMEOUT), rung('headless', OK)]);
    expect(outcome).toMatchObject({
      kind: 'served',
      report: { level: 2, attempts: [{ ok: false, errorClass: 'timeout' }, { ok: true }] },
    });
  });

  it('serves incomplete content with its reason when no rung does better', async () => {
    expect(await run([rung('plain', OK)], empty)).toMatchObject({
      kind: 'served',
      partialReason: 'empty',
      report: { level: 1, attempts: [{ ok: false, errorClass: 'empty' }] },
    });
  });

  it('fails with the last failure when nothing was fetched', async () => {
    expect(await run([rung('plain', TIMEOUT)])).toMatchObject({
      kind: 'failed',
      errorClass: 'timeout',
      report: { level: null },
    });
  });

  it('does not start another rung after the deadline', async () => {
    const outcome = await run(
      [rung('plain', TIMEOUT), rung('headless', OK)],
      complete,
      Deadline.after(0),
    );
    expect(outcome.report.attempts).toHaveLength(1);
  });

  it('says so when no rung is configured', async () => {
    expect(await run([])).toMatchObject({ kind: 'failed', errorClass: 'unknown' });
  });

  it('lets a refusal of the guard through', async () => {
    const refusing: FetchRung = {
      ...rung('plain', OK),
      fetch: () => Promise.reject(new Error('refused')),
    };
    await expect(run([refusing])).rejects.toThrow('refused');
  });
});
