import type { FakeLlmServer } from '@app/testing';
import { limits, startModelFixture, type ModelFixture } from '../../test/model-fixture.js';

describe('the model reader and pictures of pages', () => {
  let fixture: ModelFixture;
  let fake: FakeLlmServer;
  beforeEach(async () => {
    fixture = await startModelFixture();
    ({ fake } = fixture);
  });
  afterEach(() => fixture.close());

  const create = () => fixture.reader();
  const images = [1, 2, 3].map((page) => ({ page, png: Buffer.from(`picture ${page}`) }));

  it('reads them in order', async () => {
    fake.script = ({ images: [png], model }) => `# ${png?.toString()} by ${model}`;
    expect(await create().readImages(images, limits())).toEqual({
      markdown: '# picture 1 by eyes\n\n# picture 2 by eyes\n\n# picture 3 by eyes',
      usage: expect.objectContaining({ model: 'eyes', calls: 3 }),
    });
  });

  it('removes code fences, reasoning and blank pages', async () => {
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
