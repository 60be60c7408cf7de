import { Deadline, DEFAULT_CONTENT_OPTIONS } from '@app/contracts';
import { ContentPool } from './content-pool.js';
import type { PageTask } from './content-task.js';

const MAX_CPU_MS = 200;
const LONG = () => Deadline.after(3_600_000);

const page = (path: string, over: Partial<PageTask> = {}): PageTask => ({
  body: new Uint8Array(1),
  contentType: 'text/html',
  url: `http://a.example/${path}`,
  isCut: false,
  outputs: { markdown: true },
  options: DEFAULT_CONTENT_OPTIONS,
  tenantId: 'a',
  crawl: null,
  ...over,
});

describe('the content threads', () => {
  const problems: unknown[] = [];
  let pool: ContentPool;
  beforeEach(() => {
    pool = new ContentPool({
      threads: 1,
      maxCpuMs: MAX_CPU_MS,
      onProblem: (error) => problems.push(error),
      module: new URL('../../test/hanging-content.mjs', import.meta.url),
    });
  });
  afterEach(() => pool.close());

  it('receive the CPU time limit of a conversion', async () => {
    expect(await pool.run(page('one'), LONG())).toMatchObject({
      content: { maxCpuMs: MAX_CPU_MS },
    });
  });

  it.each(['hang', 'expression'])(
    'end a page that hangs in a step (%s), and convert the next',
    async (how) => {
      const hanging = pool.run(page(how), LONG());
      const next = pool.run(page('next', { tenantId: 'b' }), LONG());
      await expect(hanging).rejects.toMatchObject({ name: 'ThreadTimeoutError', problem: 'work' });
      expect(await next).toMatchObject({ content: { url: 'http://a.example/next' } });
    },
  );

  it('report the limit that a page exceeded', async () => {
    const late = pool.run(page('hang'), Deadline.after(50));
    await expect(late).rejects.toMatchObject({ problem: 'deadline' });
    const busy = [pool.run(page('hang'), LONG()), pool.run(page('one'), Deadline.after(20))];
    const [first, second] = await Promise.allSettled(busy);
    expect([first, second]).toMatchObject([
      { reason: { problem: 'work' } },
      { reason: { problem: 'busy' } },
    ]);
  });

  it('convert the pages of tenants in turn, however many pages of one wait', async () => {
    const order: string[] = [];
    const convert = async (name: string, tenantId: string) => {
      await pool.run(page(name, { tenantId }), LONG());
      order.push(name);
    };
    const flood = Array.from({ length: 6 }, (_, n) => convert(`a${n}`, 'a'));
    await Promise.all([...flood, convert('b', 'b')]);
    expect(order.indexOf('b')).toBe(1);
  });
});
