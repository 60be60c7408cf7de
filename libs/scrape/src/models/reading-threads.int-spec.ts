import { setImmediate as nextTurn } from 'node:timers/promises';
import { Deadline } from '@app/contracts';
import { until } from '@app/testing';
import { openReadingThreads } from '../../test/model-fixture.js';
import type { ReadingThreads, StepTerms } from './reading-threads.js';

describe('the reading threads', () => {
  const problems: string[] = [];
  let threads: ReadingThreads;
  beforeEach(() => {
    problems.length = 0;
    threads = openReadingThreads({
      module: new URL('../../test/lost-thread.mjs', import.meta.url),
      onProblem: (what, error) => problems.push(`${what}: ${String(error)}`),
    });
  });
  afterEach(() => threads.close());

  const cut = (markdown: string, over: Partial<StepTerms> = {}) =>
    threads.run('cut', { markdown, maxTokens: 1 }, { deadline: Deadline.after(60_000), ...over });
  const answer = (markdown: string) => ({ ok: true, value: { parts: [markdown], isCut: false } });

  it.each([
    ['is ended', 'exit', /worker exited|terminat/i],
    ['throws', 'throw', /a defect/],
  ])('say so when one %s, and go on', async (_how, how, cause) => {
    expect(await cut(how)).toEqual({
      ok: false,
      problem: 'llm_failed',
      message: 'the page could not be cut into parts',
    });
    expect(problems).toEqual([expect.stringMatching(cause)]);
    expect(await cut('next')).toEqual(answer('next'));
  });

  const LATE = {
    ok: false,
    problem: 'llm_timeout',
    message: 'the page could not be cut into parts within its time and memory',
  };

  it('end a step at its deadline, and continue', async () => {
    await cut('warm');
    expect(await cut('hang', { deadline: Deadline.after(50) })).toEqual(LATE);
    expect(problems).toEqual([]);
    expect(await cut('next')).toEqual(answer('next'));
  });

  it('end a step long before the deadline of its request', async () => {
    const brief = openReadingThreads({
      module: new URL('../../test/lost-thread.mjs', import.meta.url),
      maxStepCpuMs: 300,
    });
    const task = { markdown: 'hang', maxTokens: 1 };
    expect(await brief.run('cut', task, { deadline: Deadline.after(3_600_000) })).toEqual(LATE);
    await brief.close();
  });

  it.each([
    ['CPU time', 'hang', 'takes more than 300 ms of CPU time to compile'],
    ['memory', 'grow', 'takes more than 512 MB to compile'],
  ])('name a schema that takes too much %s as the cause', async (_what, schema, message) => {
    const strict = openReadingThreads({
      module: new URL('../../test/lost-thread.mjs', import.meta.url),
      // Allocating memory is slow on a slow machine.
      maxCompileCpuMs: schema === 'hang' ? 300 : 60_000,
    });
    const terms = { deadline: Deadline.after(3_600_000), tenantId: 'a' };
    expect(await strict.run('prepare', { schema }, terms)).toEqual({
      ok: false,
      problem: 'llm_schema',
      message,
    });
    await strict.close();
  });

  it('do not blame a schema for the deadline of its request, or for a thread that is busy', async () => {
    const compile = (schema: string, deadlineMs: number) =>
      threads.run('prepare', { schema }, { deadline: Deadline.after(deadlineMs), tenantId: 'a' });
    const late = {
      ok: false,
      problem: 'llm_timeout',
      message: 'the schema could not be prepared within its time and memory',
    };
    await cut('warm');
    expect(await compile('hang', 50)).toEqual(late);
    const caller = new AbortController();
    const first = cut('hang', { signal: caller.signal });
    expect(await compile('next', 20)).toEqual(late);
    caller.abort();
    await first;
  });

  it('serve tenants in turn', async () => {
    await cut('warm');
    const caller = new AbortController();
    const order: string[] = [];
    const of = (tenantId: string, name: string) =>
      cut(name, { tenantId }).then(() => order.push(name));
    const first = cut('hang', { tenantId: 'a', signal: caller.signal });
    const waiting = [of('a', 'a2'), of('a', 'a3'), of('b', 'b1')];
    caller.abort();
    await Promise.all([first, ...waiting]);
    expect(order).toEqual(['b1', 'a2', 'a3']);
  });

  it('end the wait of a step at its deadline, and when its caller is gone', async () => {
    await cut('warm');
    const caller = new AbortController();
    const first = cut('hang', { signal: caller.signal });
    expect(await cut('late', { deadline: Deadline.after(20) })).toEqual(LATE);
    const next = cut('next');
    caller.abort();
    expect(await first).toEqual({
      ok: false,
      problem: 'llm_timeout',
      message: 'the page could not be cut into parts before the request was cancelled',
    });
    expect(await next).toEqual(answer('next'));
    expect(problems).toEqual([]);
  });

  it.each<[string, Partial<StepTerms>]>([
    ['without time', { deadline: Deadline.after(0) }],
    ['without a caller', { signal: AbortSignal.abort() }],
  ])('are not lost by a step that comes %s', async (_what, over) => {
    await cut('warm');
    expect(await cut('exit', over)).toMatchObject({ problem: 'llm_timeout' });
    expect(problems).toEqual([]);
  });

  it('report why none of them starts', async () => {
    const broken = openReadingThreads({
      module: new URL('../../test/no-such-thread.mjs', import.meta.url),
      onProblem: (what, error) => problems.push(`${what}: ${String(error)}`),
    });
    const task = { markdown: 'x', maxTokens: 1 };
    expect(await broken.run('cut', task, { deadline: Deadline.after(1_000) })).toEqual(LATE);
    // On a busy machine it may not have started to load by then.
    await until(() => problems.length > 0);
    expect(problems).toContainEqual(
      expect.stringMatching(/^a reading thread broke: .*no-such-thread/),
    );
    await broken.close();
  });

  it('fail running and waiting steps when they are closed', async () => {
    const steps = Array.from({ length: 5 }, () => cut('hang'));
    await nextTurn();
    steps.push(cut('hang'));
    await threads.close();
    for (const step of steps)
      expect(await step).toMatchObject({ ok: false, problem: 'llm_failed' });
    await until(() => problems.length === steps.length);
  });
});
