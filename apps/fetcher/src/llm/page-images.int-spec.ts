import { Deadline } from '@app/contracts';
import { EgressGuard, HttpClient } from '@app/egress';
import { LlmClient } from '@app/providers';
import { startFakeLlm, startLeakCheck, type FakeLlmServer, type LeakCheck } from '@app/testing';
import { ModelReader, type ReadLimits } from './model-reader.js';

describe('the model reader and pictures of pages', () => {
  let leaks: LeakCheck;
  let fake: FakeLlmServer;
  let http: HttpClient;
  beforeEach(async () => {
    leaks = startLeakCheck();
    fake = await startFakeLlm();
    http = new HttpClient({ guard: EgressGuard.forEndpoint(fake.baseUrl), userAgent: 'Test/1' });
  });
  afterEach(async () => {
    await http.close();
    await fake.close();
    await leaks.assertClean();
  });

  const create = () =>
    new ModelReader({
      client: new LlmClient({
        endpoint: fake.baseUrl,
        http,
        key: fake.key,
        models: { free: 'tiny', low: 'small', high: 'big', top: null },
        visionModel: 'eyes',
        backoffMs: 5,
      }),
    });
  const limits = (over: Partial<ReadLimits> = {}): ReadLimits => ({
    deadline: Deadline.after(10_000),
    budgetMicroUsd: 1_000_000,
    ...over,
  });
  const images = [1, 2, 3].map((page) => ({ page, png: Buffer.from(`picture ${page}`) }));

  it('reads them in order', async () => {
    fake.script = ({ images: [png], model }) => `# ${png?.toString()} by ${model}`;
    expect(await create().readImages(images, limits())).toEqual({
      markdown: '# picture 1 by eyes\n\n# picture 2 by eyes\n\n# picture 3 by eyes',
      usage: expect.objectContaining({ model: 'eyes', calls: 3 }),
    });
  });

  it('takes fences and thoughts off, and blank pages out', async () => {
    const answers = ['```markdown\n# One\n```', '<!-- blank -->', '<think>hm</think>\nThree'];
    fake.script = ({ images: [png] }) => answers[Number(png?.toString().at(-1)) - 1];
    expect(await create().readImages(images, limits())).toMatchObject({
      markdown: '# One\n\nThree',
    });
  });

  it('names the pages that could not be read', async () => {
    fake.script = ({ images: [png], maxTokens }) =>
      png?.toString().endsWith('2') ? 'x'.repeat(maxTokens * 5) : 'text';
    expect(await create().readImages(images, limits())).toMatchObject({
      markdown: 'text\n\ntext',
      missing: { pages: [2], message: 'the page has more text than a model may answer' },
    });
  });

  it('fails when none could be read', async () => {
    fake.mode = '401';
    expect(await create().readImages(images, limits())).toMatchObject({
      problem: 'llm_failed',
      message: 'the model server refuses our key (401)',
      usage: { calls: 0, costMicroUsd: 0 },
    });
  });

  it('is priced as the middle class and keeps to its budget', async () => {
    fake.script = () => 'text';
    const output = await create().readImages(images, limits({ budgetMicroUsd: 70_000 }));
    expect(output.usage.costMicroUsd).toBeLessThanOrEqual(70_000);
    const { inputTokens, outputTokens, costMicroUsd } = output.usage;
    expect(costMicroUsd).toBe(Math.ceil(0.8 * inputTokens + 4 * outputTokens));
  });
});
