import { Deadline, type LlmRequest } from '@app/contracts';
import type { FakeLlmServer } from '@app/testing';
import {
  limits,
  openReadingThreads,
  MODEL_PAGE,
  READ,
  ANVIL_SCHEMA,
  startModelFixture,
  type ModelFixture,
} from '../../test/model-fixture.js';
import type { ReadingThreads } from './reading-threads.js';

jest.mock('@app/content', () => {
  const refuse = (name: string) => () => {
    throw new Error(`${name} was called in the event loop`);
  };
  // Functions that take long for a long page, a long answer or a hostile schema. Threads have their own.
  const heavy = [
    'chunkMarkdown',
    'compileSchema',
    'conform',
    'countTokens',
    'groundValue',
    'mergeAnswers',
    'modelSchema',
    'pageParts',
    'PageText',
  ];
  return {
    ...jest.requireActual<object>('@app/content'),
    ...Object.fromEntries(heavy.map((name) => [name, refuse(name)])),
  };
});

const CHARS = 600_000;
/** See hanging-reading.mjs. */
const HANGING = 'check without an end';

describe('the event loop of a fetcher while a model reads', () => {
  let threads: ReadingThreads;
  let fixture: ModelFixture;
  let fake: FakeLlmServer;
  beforeAll(() => {
    threads = openReadingThreads({
      threads: 2,
      maxStepCpuMs: 2_500,
      module: new URL('../../test/hanging-reading.mjs', import.meta.url),
    });
  });
  afterAll(() => threads.close());
  beforeEach(async () => {
    // Restarts threads that the last test ended.
    const task = { markdown: 'Some words. '.repeat(100), maxTokens: 100 };
    const cut = () => threads.run('cut', task, { deadline: Deadline.after(60_000) });
    for (const warm of await Promise.all([cut(), cut()])) expect(warm).toMatchObject({ ok: true });
    fixture = await startModelFixture(threads);
    ({ fake } = fixture);
  });
  afterEach(() => fixture.close());

  const ask = (over: Partial<LlmRequest> = {}): LlmRequest => ({
    modelClass: 'low',
    json: { schema: ANVIL_SCHEMA },
    summary: false,
    ...over,
  });

  it('does no work on a page of 600 KB', async () => {
    const line =
      'Part 12 was made on 3 March 2024 and [costs](https://shop.example/12) $99.50.\n\n';
    const filler = line.repeat(Math.ceil((CHARS - MODEL_PAGE.markdown.length) / line.length));
    const markdown = `${filler}${MODEL_PAGE.markdown}`.slice(-CHARS);
    const output = await fixture
      .reader()
      .read(
        ask({ summary: true }),
        { ...MODEL_PAGE, markdown },
        limits({ deadline: Deadline.after(60_000) }),
      );
    expect(output).toMatchObject({ json: READ, summary: expect.any(String) });
    expect(output.problem).toBeUndefined();
    expect(output.cut).toBeUndefined();
    expect(output.usage.calls).toBeGreaterThan(20);
  });

  it('cuts a part that is too long for the model in another thread', async () => {
    const markdown = Array.from({ length: 200 }, (_, at) => `Line ${at} of text.`).join('\n\n');
    fake.nextModes.push('too_long');
    const page = { url: MODEL_PAGE.url, markdown: `Maker: Acme Inc\n\n${markdown}\n\nPrice: 5` };
    expect(await fixture.reader(null, 2_000).read(ask(), page, limits())).toMatchObject({
      json: { price: 5, maker: 'Acme Inc' },
    });
  });

  it('continues while the check of an output hangs, which is not returned', async () => {
    fake.script = () => ({ data: { code: HANGING }, quotes: [] });
    let turns = 0;
    const clock = setInterval(() => turns++, 10);
    const schema = { code: 'string' };
    const terms = limits({ deadline: Deadline.after(60_000) });
    const output = await fixture.reader().read(ask({ json: { schema } }), MODEL_PAGE, terms);
    clearInterval(clock);
    expect(output).toMatchObject({
      problem: 'llm_timeout',
      message: 'an answer of the model could not be checked within its time and memory',
      usage: { calls: 1 },
    });
    expect(output).not.toHaveProperty('json');
    expect(output).not.toHaveProperty('quotes');
    expect(turns).toBeGreaterThan(20);
  });

  it('leaves out the part of the page whose output hangs', async () => {
    const lines = Array.from({ length: 300 }, (_, at) => `Line ${at} of text.`).join('\n\n');
    const page = { url: MODEL_PAGE.url, markdown: `Maker: Acme Inc\n\n${lines}\n\nPrice: 5` };
    fake.script = ({ page: part }) =>
      part.includes('Price')
        ? { data: { maker: null, code: HANGING, price: 5 }, quotes: [] }
        : undefined;
    const schema = { maker: 'string', price: 'number', code: 'string' };
    const terms = limits({ deadline: Deadline.after(60_000) });
    const output = await fixture.reader(null, 900).read(ask({ json: { schema } }), page, terms);
    expect(output).toMatchObject({
      json: { maker: 'Acme Inc', price: null, code: null },
      cut: 'llm_timeout',
      quotes: { '/maker': { quote: 'Maker: Acme Inc' } },
    });
    expect(output.message).toMatch(/^1 of [2-9] parts .* could not be checked within its time/);
    expect(output.problem).toBeUndefined();
  });
});
