import { Deadline } from '@app/contracts';
import type { FakeLlmServer, LlmMode } from '@app/testing';
import { ANSWER_QUESTION, ANSWER_SOURCES, SAID_ANSWERS } from '../../test/lying-answers.js';
import {
  limits,
  startModelFixture,
  startReadingThreads,
  type ModelFixture,
} from '../../test/model-fixture.js';
import type { ReadingThreads } from './reading-threads.js';

const TRUTH = 'Debian was founded on 16 August 1993 by Ian Murdock [1].';

describe('an answer that cites results', () => {
  let threads: ReadingThreads;
  let fixture: ModelFixture;
  let fake: FakeLlmServer;
  beforeAll(async () => {
    threads = await startReadingThreads();
  });
  afterAll(() => threads.close());
  beforeEach(async () => {
    fixture = await startModelFixture(threads);
    ({ fake } = fixture);
  });
  afterEach(() => fixture.close());

  const ask = (over: Parameters<typeof limits>[0] = {}) =>
    fixture
      .reader()
      .answer('low', { question: ANSWER_QUESTION, sources: ANSWER_SOURCES }, limits(over));

  it('has a table of 50 answers and more, most of them lies', () => {
    expect(SAID_ANSWERS.length).toBeGreaterThanOrEqual(50);
    expect(SAID_ANSWERS.filter(({ kept }) => kept === null).length).toBeGreaterThan(30);
  });

  it.each(SAID_ANSWERS.map((one) => [one.what, one] as const))(
    'keeps what its sources say: %s',
    async (_what, { said, kept }) => {
      fake.script = () => ({ answer: said });
      const { answer, problem } = await ask();
      expect(answer).toBe(kept);
      if (kept !== null) expect(problem).toBeUndefined();
    },
  );

  it('is requested with the sources between marks, and without their orders', async () => {
    fake.script = () => ({ answer: TRUTH });
    await ask();
    const [prompt] = fake.prompts;
    expect(prompt?.outside).toBe('');
    expect(prompt?.page).toContain('----- source [5] -----');
    expect(prompt?.page).toContain('The average temperature is 15 °C.');
    expect(prompt?.page).not.toMatch(/Ignore all previous|You are now an AI|99 dollars/);
    expect(prompt?.system).toContain(JSON.stringify(ANSWER_QUESTION));
  });

  it('may come as plain text, and its cost is counted', async () => {
    fake.mode = 'no_json';
    fake.script = () => TRUTH;
    const { answer, usage } = await ask();
    expect(answer).toBe(TRUTH);
    expect(usage).toMatchObject({ model: 'small', calls: 1 });
    expect(usage.costMicroUsd).toBeGreaterThan(0);
  });

  it.each<[LlmMode]>([['401'], ['500'], ['refusal'], ['wrong_schema'], ['reset']])(
    'is left out when the model fails (%s)',
    async (mode) => {
      fake.mode = mode;
      expect(await ask({ deadline: Deadline.after(3_000) })).toMatchObject({
        answer: null,
        problem: expect.stringMatching(/^llm_/),
      });
    },
  );

  it('is left out when the model is slow', async () => {
    fake.mode = 'hang';
    expect(await ask({ deadline: Deadline.after(400) })).toMatchObject({
      answer: null,
      problem: 'llm_timeout',
    });
  });

  it('is left out for sources without text, without a call', async () => {
    const sources = ANSWER_SOURCES.map((one) => ({ ...one, title: '', text: '' }));
    const read = await fixture.reader().answer('low', { question: 'x', sources }, limits());
    expect([read.answer, read.usage.calls, fake.prompts.length]).toEqual([null, 0, 0]);
  });
});
