import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startFolderSite, type SiteServer } from '@app/testing';
import { realSite } from '../setup/real-site.js';
import { UserShell } from './cli-run.js';
import { deploy, type Deployment } from './deployment.js';

const CRAWL_MS = 300_000;
/** More than the manual has. */
const LIMIT = 2_000;
const ESC = String.fromCharCode(27);
const REDRAW = `\r${ESC}[2K`;

describe('a crawl of the PostgreSQL manual into a folder, on a terminal', () => {
  let site: SiteServer;
  let service: Deployment;
  let cli: UserShell;

  beforeAll(async () => {
    site = await startFolderSite(realSite());
    service = await deploy('cluster', {
      env: { BROWSER_MAX: '0', CRAWL_MAX_PAGES: String(LIMIT), HOST_WINDOW_START: '16' },
    });
    cli = await UserShell.prepare({ TRAWL_URL: service.url, TRAWL_API_KEY: service.key });
  });
  afterAll(async () => {
    await cli?.remove();
    await service?.stop();
    await site?.close();
  });

  it(
    'draws a bar that fills up and is gone at the end, and writes a file per page',
    async () => {
      const crawl = `trawl crawl ${site.url('/index.html')} --limit ${LIMIT} --out manual`;
      // A pseudo terminal of 100 columns, as a user has one.
      const pty = ['script', '--quiet', '--return', '--command', `stty cols 100; ${crawl}`];
      const { code, out } = await cli.run([...pty, '/dev/null']);
      expect([code, out.slice(-200)]).toEqual([0, expect.stringMatching(/completed: \d+ pages/)]);

      const drawn = out.split(REDRAW).filter((line) => line.startsWith('['));
      const bars = drawn.map((line) => /^\[(#*)\.*\] (\d+)\/(?:\d+|\?) pages/.exec(line.trim()));
      expect(bars).not.toContain(null);
      const counts = bars.map((bar) => Number(bar?.[2]));
      expect(counts).toEqual([...counts].sort((a, b) => a - b));
      expect(bars.at(-1)?.[1]?.length).toBeGreaterThan(20);
      for (const line of drawn) expect(line.trimEnd().length).toBeLessThan(100);
      expect(drawn.some((line) => /\d\.\d\/s, \d+ s left, running/.test(line))).toBe(true);

      const pages = Number(/completed: (\d+) pages/.exec(out)?.[1]);
      expect(pages).toBeGreaterThan(1_000);
      const folder = path.join(cli.folder, 'manual');
      const [, ...index] = readFileSync(path.join(folder, 'index.jsonl'), 'utf8')
        .trim()
        .split('\n');
      expect(index).toHaveLength(pages);
      // A file for each page, and the two lists.
      expect(readdirSync(folder)).toHaveLength(pages + 2);
    },
    CRAWL_MS + 30_000,
  );
});
