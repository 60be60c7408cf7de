import { inspect } from 'node:util';
import { Deadline } from '@app/contracts';
import { EgressGuard, HttpClient } from '@app/egress';
import {
  startFakeLlm,
  startLeakCheck,
  until,
  type FakeLlmServer,
  type LeakCheck,
  type LlmMode,
} from '@app/testing';
import { LlmBudget } from './llm-budget.js';
import { LlmClient, type LlmCall, type LlmClientOptions } from './llm-client.js';
import { textMessage } from './llm-message.js';
import type { LlmHttp } from './post.js';

const KEY = 'sk-SECRET-7c1f';
/** Far more than the delay of a busy machine, and far less than a wrong wait. */
const FAR_TOO_LATE_MS = 25_000;
/** Longer than any case, and the time of no other timer. */
const HELD_MS = 600_001;
const ANSWER = { name: 'Anvil', price: 12 };
const SCHEMA = {
  name: 'answer',
  schema: {
    type: 'object',
    properties: { name: { type: 'string' }, price: { type: 'number' } },
    required: ['name', 'price'],
    additionalProperties: false,
  },
  isStrict: true,
};

describe('the model client', () => {
  let leaks: LeakCheck;
  let fake: FakeLlmServer;
  let http: HttpClient;
  beforeEach(async () => {
    leaks = startLeakCheck();
    fake = await startFakeLlm({ key: KEY, slowMs: 200 });
    fake.script = () => ANSWER;
    const guard = EgressGuard.forEndpoint(fake.baseUrl);
    http = new HttpClient({ guard, userAgent: 'Test/1', connectTimeoutMs: 60_000 });
  });
  afterEach(async () => {
    await http.close();
    await fake.close();
    await leaks.assertClean();
  });

  const create = (over: Partial<LlmClientOptions> = {}) =>
    new LlmClient({
      endpoint: fake.baseUrl,
      http,
      key: KEY,
      models: { free: 'tiny', low: 'small', high: 'big', top: null },
      visionModel: 'eyes',
      backoffMs: 10,
      ...over,
    });
  const call = (over: Partial<LlmCall> = {}): LlmCall => ({
    use: 'low',
    messages: [textMessage('system', 'Answer in JSON.'), textMessage('user', 'What is it?')],
    answer: SCHEMA,
    maxTokens: 100,
    deadline: Deadline.after(60_000),
    budget: new LlmBudget(1_000_000),
    ...over,
  });

  it('requests JSON by the schema from the configured model, streamed and counted', async () => {
    const budget = new LlmBudget(1_000_000);
    const result = await create().complete(call({ budget }));
    expect(result).toEqual({ ok: true, text: JSON.stringify(ANSWER), isCut: false });
    expect(fake.prompts[0]?.body).toMatchObject({
      model: 'small',
      temperature: 0,
      max_tokens: 100,
      stream: true,
      stream_options: { include_usage: true },
      response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true } },
    });
    // 26 characters in the prompt, 27 in the answer, 4 per token: 7 × 0.14 + 7 × 0.28 micro-dollars, rounded up.
    expect(budget.usage('small', 0)).toMatchObject({ calls: 1, inputTokens: 7, outputTokens: 7 });
    expect(budget.usage('small', 0).costMicroUsd).toBe(3);
    expect(budget.isEstimated).toBe(false);
  });

  it.each<[LlmMode, boolean]>([
    ['plain', false],
    ['keep_alive', false],
    ['reasoning', false],
    ['no_usage', true],
    ['huge_usage', true],
  ])('reads an answer that comes as %s', async (mode, isEstimated) => {
    fake.mode = mode;
    const budget = new LlmBudget(100);
    const result = await create().complete(call({ budget }));
    expect(result).toMatchObject({ ok: true, text: JSON.stringify(ANSWER) });
    expect(budget.isEstimated).toBe(isEstimated);
    expect(budget.usage('', 0).outputTokens).toBeGreaterThan(0);
    expect(budget.usage('', 0).costMicroUsd).toBeLessThanOrEqual(100);
  });

  it.each<[LlmMode, object, object]>([
    ['no_schema', { response_format: { type: 'json_object' } }, {}],
    ['no_json', {}, { response_format: expect.anything() }],
    ['no_temperature', {}, { temperature: 0 }],
    ['max_completion_tokens', { max_completion_tokens: 100 }, { max_tokens: 100 }],
    ['no_stream_options', { stream: true }, { stream_options: expect.anything() }],
    ['no_stream', {}, { stream: true }],
  ])('leaves out what the server refuses (%s), and remembers it', async (mode, has, lacks) => {
    fake.mode = mode;
    const client = create();
    expect(await client.complete(call())).toMatchObject({ ok: true });
    const before = fake.prompts.length;
    expect(await client.complete(call())).toMatchObject({ ok: true });
    expect(fake.prompts).toHaveLength(before + 1);
    const body = fake.prompts.at(-1)?.body;
    expect(body).toMatchObject(has);
    if (Object.keys(lacks).length > 0) expect(body).not.toMatchObject(lacks);
    // Another model of the same server may support it.
    await client.complete(call({ use: 'high' }));
    expect(fake.prompts[before + 1]?.body).toMatchObject({
      model: 'big',
      temperature: 0,
      response_format: { type: 'json_schema' },
    });
  });

  it('does not hold a schema that is refused against the model', async () => {
    const client = create();
    fake.nextModes.push('bad_schema');
    expect(await client.complete(call())).toMatchObject({ ok: true });
    expect(fake.prompts.map(({ format }) => format)).toEqual(['json_schema', 'json_object']);
    await client.complete(call());
    expect(fake.prompts.at(-1)?.format).toBe('json_schema');
  });

  it.each<[LlmMode]>([
    ['408'],
    ['429'],
    ['500'],
    ['503'],
    ['504'],
    ['reset'],
    ['not_http'],
    ['garbage_json'],
    ['html_error'],
    ['empty'],
    ['truncated'],
    ['cut_stream'],
    ['stream_error'],
  ])('tries again after %s', async (mode) => {
    fake.nextModes.push(mode);
    expect(await create().complete(call())).toMatchObject({ ok: true });
    expect(fake.requests).toHaveLength(2);
  });

  it('gives up after its attempts', async () => {
    fake.mode = '500';
    expect(await create({ maxAttempts: 3 }).complete(call())).toMatchObject({
      ok: false,
      problem: 'llm_failed',
      message: 'the model server failed (500)',
    });
    expect(fake.requests).toHaveLength(3);
  });

  it.each<[LlmMode, string]>([
    ['401', 'the model server refuses our key (401)'],
    ['403', 'the model server refuses our key (403)'],
    ['402', 'our account at the model server is used up (402)'],
    ['404', 'the model server does not know the model or address (404)'],
    ['422', 'the model server refused the request (422)'],
    ['quota', 'our account at the model server is used up (429)'],
    ['redirect', 'the model server refused the request (302)'],
    ['refusal', 'the model refused to answer'],
    ['filtered', 'the model refused to answer'],
    ['huge', 'the model server returned an unexpected response'],
  ])('does not try again after %s', async (mode, message) => {
    fake.mode = mode;
    const attempts = mode === 'huge' ? { maxAttempts: 1 } : {};
    const result = await create(attempts).complete(call());
    expect(result).toMatchObject({ ok: false, problem: 'llm_failed', code: null, message });
    expect(fake.requests).toHaveLength(1);
  });

  it('reports that the prompt is too long, so that the caller can send a shorter one', async () => {
    fake.mode = 'too_long';
    expect(await create().complete(call())).toMatchObject({ ok: false, code: 'too_long' });
  });

  it('reports that an output reached its limit', async () => {
    expect(await create().complete(call({ maxTokens: 3 }))).toEqual({
      ok: true,
      text: JSON.stringify(ANSWER).slice(0, 12),
      isCut: true,
    });
  });

  it('waits as long as Retry-After says, and not when that is too long', async () => {
    fake.nextModes.push('429');
    const startedAt = performance.now();
    expect(await create().complete(call())).toMatchObject({ ok: true });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
    fake.nextModes.push('429');
    const patient: LlmHttp = {
      fetch: async (request) => {
        const response = await http.fetch(request);
        return { ...response, headers: { ...response.headers, 'retry-after': '60' } };
      },
    };
    const again = performance.now();
    const deadline = Deadline.after(30_000);
    expect(await create({ http: patient }).complete(call({ deadline }))).toMatchObject({
      problem: 'llm_failed',
      message: 'the model server is busy (429)',
    });
    expect(performance.now() - again).toBeLessThan(FAR_TOO_LATE_MS);
  });

  it.each<[LlmMode]>([['hang'], ['hang_body'], ['stall'], ['503']])(
    'ends with its deadline when the server does %s',
    async (mode) => {
      fake.mode = mode;
      const startedAt = performance.now();
      const deadline = Deadline.after(400);
      const result = await create().complete(call({ deadline }));
      expect(result.ok).toBe(false);
      if (mode !== '503') expect(result).toMatchObject({ problem: 'llm_timeout' });
      expect(performance.now() - startedAt).toBeLessThan(FAR_TOO_LATE_MS);
    },
  );

  it('aborts a stalled response, retries, and pays for the part it received', async () => {
    fake.nextModes.push('stall');
    const budget = new LlmBudget(1_000);
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const result = create({ idleTimeoutMs: HELD_MS }).complete(call({ budget }));
    const [passes] = await until(() => timers.mock.calls.find(([, ms]) => ms === HELD_MS));
    timers.mockRestore();
    passes();
    expect(await result).toMatchObject({ ok: true, text: JSON.stringify(ANSWER) });
    expect(budget.usage('', 0).calls).toBe(2);
    expect(budget.isEstimated).toBe(true);
  });

  it('ends at once when the caller disconnects, and closes the connection to the server', async () => {
    fake.mode = 'hang';
    const caller = new AbortController();
    const deadline = Deadline.after(30_000);
    const result = create().complete(call({ signal: caller.signal, deadline }));
    await until(() => fake.prompts.length === 1);
    const startedAt = performance.now();
    caller.abort();
    expect(await result).toMatchObject({ ok: false, problem: 'llm_timeout' });
    expect(performance.now() - startedAt).toBeLessThan(FAR_TOO_LATE_MS);
  });

  it('sends no request without time, model or budget', async () => {
    const client = create();
    expect(await client.complete(call({ deadline: Deadline.after(0) }))).toMatchObject({
      problem: 'llm_timeout',
    });
    expect(await client.complete(call({ signal: AbortSignal.abort() }))).toMatchObject({
      problem: 'llm_timeout',
    });
    expect(await client.complete(call({ use: 'top' }))).toMatchObject({
      problem: 'llm_failed',
      message: "no model is configured for 'top'",
    });
    expect(await client.complete(call({ budget: new LlmBudget(0) }))).toMatchObject({
      problem: 'llm_budget',
    });
    expect(fake.requests).toHaveLength(0);
  });

  it('requests a shorter output where the budget does not cover the longest', async () => {
    const budget = new LlmBudget(60);
    const asked = call({ budget, maxTokens: 1_000, minTokens: 50 });
    expect(await create().complete(asked)).toMatchObject({ ok: true, isCut: false });
    const { max_tokens: maxTokens } = fake.prompts[0]?.body ?? {};
    expect(maxTokens).toBeGreaterThanOrEqual(50);
    expect(maxTokens).toBeLessThan(200);
    expect(await create().complete({ ...asked, minTokens: 1_000 })).toMatchObject({
      problem: 'llm_budget',
    });
  });

  it('needs no money for the free class', async () => {
    const budget = new LlmBudget(0);
    expect(await create().complete(call({ use: 'free', budget }))).toMatchObject({ ok: true });
    expect(budget.usage('tiny', 0)).toMatchObject({ calls: 1, costMicroUsd: 0, inputTokens: 7 });
  });

  it('pays for the received part of a broken stream, and stops before the budget is exceeded', async () => {
    fake.mode = 'cut_stream';
    const budget = new LlmBudget(90);
    const client = create({ maxAttempts: 100, backoffMs: 0 });
    const result = await client.complete(call({ budget }));
    expect(result).toMatchObject({ ok: false, problem: 'llm_budget' });
    const { calls, costMicroUsd } = budget.usage('', 0);
    expect(calls).toBeGreaterThan(1);
    expect(calls).toBe(fake.requests.length);
    expect(costMicroUsd).toBeLessThanOrEqual(90);
    expect(budget.isEstimated).toBe(true);
  });

  it('shows a model that sees its pictures', async () => {
    fake.script = ({ images }) => `saw ${images.map((one) => one.toString('latin1')).join()}`;
    const parts = [
      { kind: 'text' as const, text: 'Read this.' },
      { kind: 'image' as const, png: Buffer.from('a picture') },
    ];
    const messages = [{ role: 'user' as const, parts }];
    const result = await create().complete(call({ use: 'vision', messages, answer: null }));
    expect(result).toMatchObject({ ok: true, text: 'saw a picture' });
    expect(fake.prompts[0]?.model).toBe('eyes');
  });

  it.each<[string, string]>([
    ['', '/v1/chat/completions'],
    ['/', '/v1/chat/completions'],
    ['/v1', '/v1/chat/completions'],
    ['/v1/', '/v1/chat/completions'],
    ['/openai?api-version=2', '/openai/chat/completions?api-version=2'],
  ])('finds the address below %p', async (path, asked) => {
    const { origin } = new URL(fake.baseUrl);
    await create({ endpoint: `${origin}${path}` }).complete(call());
    expect(fake.requests[0]?.path).toBe(asked);
  });

  it('sends no half characters', async () => {
    const messages = [textMessage('user', 'JSON \ud83d')];
    expect(await create().complete(call({ messages }))).toMatchObject({ ok: true });
    expect(fake.prompts[0]?.user).toBe('JSON \ufffd');
    expect(fake.requests[0]?.body).not.toMatch(/\\ud83d/i);
  });

  it('sends no key to a server that needs none', async () => {
    const open = await startFakeLlm({ key: null });
    const client = new HttpClient({
      guard: EgressGuard.forEndpoint(open.baseUrl),
      userAgent: 'Test/1',
    });
    const options = { endpoint: open.baseUrl, http: client, key: null };
    expect(await create(options).complete(call({ answer: null }))).toMatchObject({ ok: true });
    expect(open.requests[0]?.headers['authorization']).toBeUndefined();
    await client.close();
    await open.close();
  });

  it.each<[LlmMode]>([['401'], ['echo_key'], ['500'], ['redirect'], ['reset'], ['422']])(
    'shows the key nowhere (%s)',
    async (mode) => {
      fake.mode = mode;
      const client = create({ maxAttempts: 1 });
      const result = await client.complete(call());
      const shown = [inspect(client, { depth: 9, showHidden: true }), inspect(result)];
      shown.push(JSON.stringify(client), JSON.stringify(result));
      expect(shown.join()).not.toContain(KEY);
    },
  );

  it('is as silent about a key that cannot be sent', async () => {
    const result = await create({ key: `${KEY}\u2014` }).complete(call());
    expect(result).toMatchObject({
      ok: false,
      message: 'the model server cannot be used with its configured address',
    });
    expect(fake.requests).toHaveLength(0);
  });

  it('reports a server that does not listen', async () => {
    await fake.close();
    expect(await create({ maxAttempts: 2 }).complete(call())).toMatchObject({
      problem: 'llm_failed',
      message: 'the model server cannot be reached (ECONNREFUSED)',
    });
    fake = await startFakeLlm({ key: KEY });
  });
});
