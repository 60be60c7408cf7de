import { Deadline } from '@app/contracts';
import { poolRequest, openTestPool } from '../../test/test-pool.js';

const MIB = 1024 ** 2;
/** Of 10 MiB each, so that what is kept of them shows; a machine with much else to do sends one a second. */
const MESSAGES = 12;
const MAX_GROWTH_MIB = 80;

const flood = (say: string) => `
  const text = 'x'.repeat(10 * 1024 * 1024);
  let said = 0;
  const go = () => { if (said++ < ${MESSAGES}) { setTimeout(go); ${say} } else globalThis.done(); };
  go();`;
const inPage = (say: string) =>
  `globalThis.done = () => { document.title = 'done' }; ${flood(say)}`;
const inWorker = `const code = ${JSON.stringify(`globalThis.done = () => postMessage(1); ${flood('console.log(text + said)')}`)};
  new Worker(URL.createObjectURL(new Blob([code]))).onmessage = () => { document.title = 'done' };`;

it.each([
  ['logs', inPage('console.log(text + said)')],
  ['logs in a worker', inWorker],
  ['throws', inPage('throw new Error(text + said)')],
])(
  'a page that %s 10 MiB at a time takes no memory here, and other pages go on',
  async (_name, script) => {
    await using test = await openTestPool({}, (url, _request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(url.pathname === '/calm' ? '<title>calm</title>' : `<script>${script}</script>`);
    });
    const { pool } = test;
    // Whatever a first page loads is no matter of this one.
    await pool.withPage(poolRequest(), ({ page }) => page.title());
    const before = process.memoryUsage.rss();
    await pool.withPage(poolRequest({ deadline: Deadline.after(50_000) }), async ({ page }) => {
      await page.goto('http://noisy.example/', { waitUntil: 'commit' });
      const calm = await pool.withPage(
        poolRequest({ deadline: Deadline.after(50_000) }),
        async ({ page: other }) => {
          await other.goto('http://calm.example/calm');
          return other.title();
        },
      );
      expect(calm).toBe('calm');
      await page.waitForFunction(`document.title === 'done'`, undefined, { timeout: 0 });
    });
    expect((process.memoryUsage.rss() - before) / MIB).toBeLessThan(MAX_GROWTH_MIB);
  },
);
