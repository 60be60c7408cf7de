import { Deadline, type LlmRequest } from '@app/contracts';
import { until, type FakeLlmServer, type LlmMode } from '@app/testing';
import {
  limits,
  MODEL_PAGE,
  READ,
  ANVIL_SCHEMA,
  startModelFixture,
  startReadingThreads,
  type ModelFixture,
} from '../../test/model-fixture.js';
import type { ReadingThreads } from './reading-threads.js';

describe('the model reader', () => {
  let threads: ReadingThreads;
  beforeAll(async () => {
    threads = await startReadingThreads();
  });
  afterAll(() => threads.close());

  let fixture: ModelFixture;
  let fake: FakeLlmServer;
  beforeEach(async () => {
    fixture = await startModelFixture(threads);
    ({ fake } = fixture);
  });
  afterEach(() => fixture.close());

  const models: { top: string | null } = { top: null };
  const create = (maxPartTokens?: number) => fixture.reader(models.top, maxPartTokens);
  const ask = (over: Partial<LlmRequest> = {}): LlmRequest => ({
    modelClass: 'low',
    json: { schema: ANVIL_SCHEMA },
    summary: false,
    ...over,
  });

  it('reads data by a shape, with quotes, null for values that the page lacks, and the cost', async () => {
    const output = await create().read(ask(), MODEL_PAGE, limits());
    expect(output).toEqual({
      json: READ,
      quotes: {
        '/price': { quote: '- **Price:** $1,234.50' },
        '/maker': { quote: '- Maker: Acme Inc' },
        '/tags/0': { quote: '- Tags: heavy, black' },
        '/tags/1': expect.anything(),
      },
      usage: {
        model: 'small',
        calls: 1,
        inputTokens: expect.any(Number),
        outputTokens: expect.any(Number),
        costMicroUsd: expect.any(Number),
        latencyMs: expect.any(Number),
      },
    });
    const { inputTokens, outputTokens, costMicroUsd } = output.usage;
    expect(costMicroUsd).toBe(Math.ceil(inputTokens * 0.14 + outputTokens * 0.28));
  });

  it('sends a schema that strict servers accept', async () => {
    await create().read(ask(), MODEL_PAGE, limits());
    expect(fake.prompts[0]?.body).toMatchObject({
      response_format: { json_schema: { name: 'page_data', strict: true } },
    });
    expect(fake.prompts[0]?.schema).toMatchObject({
      properties: { data: { properties: { price: { type: ['number', 'null'] } } } },
    });
  });

  it('makes no call beyond those of the tenant, and none for nobody', async () => {
    fixture.calls.set('a', 1);
    expect(await create().read(ask(), MODEL_PAGE, limits())).toMatchObject({ json: READ });
    const refused = await create().read(ask(), MODEL_PAGE, limits());
    expect(refused).toMatchObject({ problem: 'llm_quota', usage: { calls: 0 } });
    expect(refused.message).toContain('The 7 model calls a day');
    const images = [{ page: 1, png: new Uint8Array(9) }];
    expect(await create().readImages(images, limits())).toMatchObject({ problem: 'llm_quota' });
    const ownerless = await create().read(ask(), MODEL_PAGE, limits({ tenantId: null }));
    expect(ownerless).toMatchObject({ problem: 'llm_failed' });
    expect(fake.prompts).toHaveLength(1);
  });

  it('drops values that a model invents, and names them', async () => {
    fake.script = () => ({
      data: { price: 99, maker: 'Acme Inc', in_stock: true, tags: ['heavy', 'cheap'], ceo: 'Jane' },
      quotes: [{ at: '/in_stock', quote: 'In stock: yes' }],
    });
    const output = await create().read(ask(), MODEL_PAGE, limits());
    expect(output).toMatchObject({
      json: { price: null, maker: 'Acme Inc', in_stock: true, tags: ['heavy'], ceo: null },
      message: 'left out, since the page does not say it: /price, /tags/1, /ceo',
    });
    expect(output.problem).toBeUndefined();
    expect(output.quotes).toMatchObject({ '/in_stock': { quote: '- In stock: yes' } });
    expect(output.quotes).not.toHaveProperty(['/price']);
  });

  it.each<[LlmMode]>([
    ['no_schema'],
    ['no_json'],
    ['fenced'],
    ['thinking'],
    ['plain'],
    ['reasoning'],
  ])('reads the same of a server in mode %s', async (mode) => {
    fake.mode = mode;
    expect(await create().read(ask(), MODEL_PAGE, limits())).toMatchObject({ json: READ });
  });

  it('reports that tokens were estimated', async () => {
    fake.mode = 'no_usage';
    const output = await create().read(ask(), MODEL_PAGE, limits());
    expect(output).toMatchObject({
      json: READ,
      message: 'the model server did not count all tokens; some are estimated',
    });
    expect(output.usage.costMicroUsd).toBeGreaterThan(0);
  });

  it.each<[LlmMode]>([['wrong_schema'], ['not_json'], ['length']])(
    'has an answer repaired once (%s)',
    async (mode) => {
      fake.nextModes.push(mode);
      const output = await create().read(ask(), MODEL_PAGE, limits());
      expect(output).toMatchObject({ json: READ, usage: { calls: 2 } });
      expect(fake.prompts[1]?.page).toContain('----- what is wrong -----');
      expect(fake.prompts[1]?.maxTokens).toBe(mode === 'length' ? 8_192 : 4_096);
    },
  );

  it.each<[LlmMode, RegExp]>([
    ['wrong_schema', /nor did its correction: the value must be object,null/],
    ['not_json', /nor did its correction: it is no JSON/],
    ['length', /longer than 4096 tokens/],
  ])('gives up on the second invalid answer (%s)', async (mode, message) => {
    fake.mode = mode;
    const output = await create().read(ask(), MODEL_PAGE, limits());
    expect(output).toMatchObject({ problem: 'llm_invalid', usage: { calls: 2 } });
    expect(output.message).toMatch(message);
    expect(output).not.toHaveProperty('json');
  });

  it('reads a page without a schema', async () => {
    fake.script = () => ({
      data: { product: 'Acme Anvil', weight_kg: 12, colour: 'pink' },
      quotes: [],
    });
    const output = await create().read(ask({ json: { schema: null } }), MODEL_PAGE, limits());
    expect(output).toMatchObject({
      json: { product: 'Acme Anvil', weight_kg: 12 },
      quotes: { '/product': { quote: '# Acme Anvil' } },
    });
    expect(output.json).not.toHaveProperty('colour');
  });

  it('sends no request to a model for a page without text', async () => {
    const output = await create().read(ask(), { url: MODEL_PAGE.url, markdown: ' \n' }, limits());
    expect(output).toMatchObject({
      json: { price: null, maker: null, in_stock: null, tags: null, ceo: null },
      quotes: {},
      usage: { calls: 0, costMicroUsd: 0 },
    });
  });

  it('reads a long page in parts and puts them together', async () => {
    const filler = (from: number) =>
      Array.from({ length: 60 }, (_, at) => `Line ${from + at} of some long text.`).join('\n\n');
    const markdown = [
      `# One\n\nMaker: Acme Inc\n\nTags: heavy, black\n\n${filler(0)}`,
      `# Two\n\nPrice: 5\n\nTags: black, round\n\n${filler(100)}`,
      `# Three\n\nMaker: Other Inc\n\nIn stock: yes\n\n${filler(200)}`,
    ].join('\n\n');
    const output = await create(600).read(ask(), { url: MODEL_PAGE.url, markdown }, limits());
    expect(output).toMatchObject({
      json: {
        price: 5,
        maker: 'Acme Inc',
        in_stock: true,
        tags: ['heavy', 'black', 'round'],
        ceo: null,
      },
      quotes: {
        '/tags/0': { quote: 'Tags: heavy, black' },
        '/tags/2': { quote: 'Tags: black, round' },
        '/price': { quote: 'Price: 5' },
      },
    });
    expect(output.usage.calls).toBeGreaterThan(2);
    expect(output.usage.calls).toBe(fake.prompts.length);
  });

  it('halves a part that is too long for the model', async () => {
    const markdown = Array.from({ length: 200 }, (_, at) => `Line ${at} of text.`).join('\n\n');
    fake.nextModes.push('too_long');
    const page = { url: MODEL_PAGE.url, markdown: `Maker: Acme Inc\n\n${markdown}\n\nPrice: 5` };
    expect(await create(2_000).read(ask(), page, limits())).toMatchObject({
      json: { price: 5, maker: 'Acme Inc' },
    });
    expect(fake.prompts).toHaveLength(3);
  });

  it('reports the share of the page that could not be read', async () => {
    const markdown = Array.from({ length: 300 }, (_, at) => `Line ${at} of text.`).join('\n\n');
    const page = { url: MODEL_PAGE.url, markdown: `Maker: Acme Inc\n\n${markdown}\n\nPrice: 5` };
    fake.script = ({ page: part }) =>
      part.includes('Price') ? { data: 'no', quotes: [] } : undefined;
    const output = await create(900).read(ask(), page, limits());
    expect(output).toMatchObject({ json: { maker: 'Acme Inc', price: null } });
    expect(output.message).toMatch(
      /^1 of [2-9] parts of the page could not be read: .*did not match the schema/,
    );
    expect(output.problem).toBeUndefined();
    expect(output.cut).toBe('llm_invalid');
  });

  it('returns its result so far when the time ends before the model answers', async () => {
    const markdown = Array.from({ length: 300 }, (_, at) => `Line ${at} of text.`).join('\n\n');
    const page = { url: MODEL_PAGE.url, markdown: `Maker: Acme Inc\n\n${markdown}` };
    fake.nextModes.push('ok', 'hang');
    const output = await create(900).read(ask(), page, limits({ deadline: Deadline.after(4_000) }));
    expect(output).toMatchObject({ json: { maker: 'Acme Inc', price: null }, cut: 'llm_timeout' });
    expect(output.problem).toBeUndefined();
  });

  it('summarises a page', async () => {
    const output = await create().read(ask({ json: null, summary: true }), MODEL_PAGE, limits());
    expect(output).toMatchObject({
      summary: 'The anvil is made of steel. It weighs 12 kg.',
      usage: { calls: 1 },
    });
    expect(output).not.toHaveProperty('json');
  });

  it('summarises a long page by its parts', async () => {
    const markdown = Array.from({ length: 300 }, (_, at) => `Line ${at} of text.`).join('\n\n');
    fake.script = ({ system }) => ({
      summary: system.includes('notes on the parts') ? 'All of it.' : 'A part of it.',
    });
    const page = { url: MODEL_PAGE.url, markdown };
    expect(
      await create(900).read(ask({ json: null, summary: true }), page, limits()),
    ).toMatchObject({ summary: 'All of it.' });
    expect(fake.prompts.at(-1)?.page).toMatch(/^A part of it\.\n\nA part of it\./);
  });

  it('bounds a summary, also one that is no JSON', async () => {
    fake.script = () => 'One. Two!  Three?\nFour. Five. Six. Seven.';
    expect(
      await create().read(ask({ json: null, summary: true }), MODEL_PAGE, limits()),
    ).toMatchObject({
      summary: 'One. Two! Three? Four. Five.',
    });
    fake.script = () => ({ summary: `${'word '.repeat(400)}.` });
    const { summary = '' } = await create().read(
      ask({ json: null, summary: true }),
      MODEL_PAGE,
      limits(),
    );
    expect(summary).toMatch(/^word .* word…$/);
    expect(summary.length).toBeLessThanOrEqual(1_500);
  });

  it('reads by a schema whose unevaluatedProperties must know of 240 blocks', async () => {
    const schema = {
      type: 'object',
      unevaluatedProperties: false,
      properties: { maker: { type: 'string' } },
      allOf: Array.from({ length: 240 }, (_, n) => ({
        properties: { [`field-${n}`]: { type: 'string' } },
      })),
    };
    fake.script = () => ({ data: { maker: 'Acme Inc' }, quotes: [] });
    const output = await create().read(ask({ json: { schema } }), MODEL_PAGE, limits());
    expect(output.problem).toBeUndefined();
    expect(output.json).toMatchObject({ maker: 'Acme Inc' });
  });

  it('calls no model, for a summary neither, when the schema cannot be compiled', async () => {
    const properties = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`f${n}`, true]));
    const json = { schema: { properties } };
    expect(await create().read(ask({ json, summary: true }), MODEL_PAGE, limits())).toEqual({
      problem: 'llm_schema',
      message: 'has more than 500 sub-schemas, references written out',
      usage: expect.objectContaining({ calls: 0, costMicroUsd: 0 }),
    });
    expect(fake.requests).toHaveLength(0);
  });

  it('returns the other result when one of two fails', async () => {
    fake.script = ({ system }) => (system.includes('Summarise') ? 'An anvil.' : 'nothing');
    expect(await create().read(ask({ summary: true }), MODEL_PAGE, limits())).toMatchObject({
      summary: 'An anvil.',
      problem: 'llm_invalid',
    });
  });

  it.each([
    ['a budget', { budgetMicroUsd: 50 }, 'llm_budget', 0],
    ['time', { deadline: Deadline.after(0) }, 'llm_timeout', 0],
    ['a caller', { signal: AbortSignal.abort() }, 'llm_timeout', 0],
  ] as const)('asks nothing without %s', async (_what, over, problem, calls) => {
    expect(await create().read(ask(), MODEL_PAGE, limits(over))).toMatchObject({
      problem,
      message: expect.any(String),
      usage: { calls, costMicroUsd: 0 },
    });
    expect(fake.requests).toHaveLength(0);
  });

  it('never spends more than the budget, however long the page', async () => {
    const markdown = Array.from({ length: 3_000 }, (_, at) => `Line ${at} of text.`).join('\n\n');
    const page = { url: MODEL_PAGE.url, markdown: `Maker: Acme Inc\n\n${markdown}` };
    const budgetMicroUsd = 2_500;
    const output = await create(900).read(ask({ summary: true }), page, limits({ budgetMicroUsd }));
    expect(output.usage.costMicroUsd).toBeLessThanOrEqual(budgetMicroUsd);
    expect(output.usage.calls).toBeGreaterThan(0);
    expect(output.problem).toBe('llm_budget');
  });

  it('reads a long page at the highest price within a tenth of a dollar, in smaller parts', async () => {
    models.top = 'best';
    const markdown = Array.from({ length: 1_200 }, (_, at) => `Line ${at} of text.`).join('\n\n');
    const page = { url: MODEL_PAGE.url, markdown: `Maker: Acme Inc\n\n${markdown}\n\nPrice: 5` };
    const terms = limits({ budgetMicroUsd: 100_000 });
    const output = await create().read(ask({ modelClass: 'top' }), page, terms);
    models.top = null;
    expect(output).toMatchObject({ json: { maker: 'Acme Inc', price: 5 } });
    expect(output.message).toBeUndefined();
    expect(output.usage.calls).toBeGreaterThan(1);
    expect(output.usage.costMicroUsd).toBeLessThanOrEqual(100_000);
  });

  it('reports that no model is configured for the class', async () => {
    expect(await create().read(ask({ modelClass: 'top' }), MODEL_PAGE, limits())).toMatchObject({
      problem: 'llm_failed',
      message: "no model is configured for 'top'",
    });
  });

  it('ends at once with its caller', async () => {
    fake.mode = 'hang';
    const caller = new AbortController();
    const terms = limits({ deadline: Deadline.after(60_000), signal: caller.signal });
    const output = create().read(ask({ summary: true }), MODEL_PAGE, terms);
    await until(() => fake.prompts.length === 2);
    const startedAt = performance.now();
    caller.abort();
    expect(await output).toMatchObject({ problem: 'llm_timeout' });
    expect(performance.now() - startedAt).toBeLessThan(45_000);
  });
});
