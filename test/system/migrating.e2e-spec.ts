import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot, startFixtureSite, type FixtureSite } from '@app/testing';
import { UserShell } from './cli-run.js';
import type { Service } from './deployment.js';
import { share } from './shared-cluster.js';

const DOCUMENT = readFileSync(path.join(projectRoot(), 'docs/migrating.md'), 'utf8');

/** The commands and programs below a heading, in their order. */
function examplesOf(heading: string): string[] {
  const [, section = ''] = DOCUMENT.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ', 1);
  return [...own.matchAll(/```(?:sh|js)\n([\s\S]*?)```/g)].map(([, block = '']) => block);
}

describe('the examples of docs/migrating.md', () => {
  let site: FixtureSite;
  let service: Service;
  let user: UserShell;

  beforeAll(async () => {
    // Its sitemap is empty: pages are found by links.
    site = await startFixtureSite({ treePages: 0 });
    service = await share();
    user = await UserShell.prepare({ TRAWL: service.url, KEY: service.key });
  });
  afterAll(async () => {
    await user?.remove();
    await service?.stop();
    await site?.close();
  });

  /** What the example prints. */
  async function printed(example = ''): Promise<string> {
    const text = example.replaceAll('https://example.com/', site.url('/'));
    if (!text.startsWith('import ')) return output(await user.shell(text));
    await writeFile(path.join(user.folder, 'program.js'), text);
    return output(await user.run(['node', 'program.js']));
  }

  it('scrape a page with the requests of Firecrawl', async () => {
    const [request, program, ...more] = examplesOf('From Firecrawl');
    expect(more).toEqual([]);
    const { success, data } = JSON.parse(await printed(request)) as Record<string, unknown>;
    expect([success, data]).toEqual([
      true,
      {
        markdown: expect.stringContaining('Small site'),
        links: expect.arrayContaining([site.url('/about')]),
        metadata: expect.objectContaining({ sourceURL: site.url('/'), statusCode: 200 }),
      },
    ]);
    const own = await printed(program);
    expect(own).toContain('Small site');
    expect(own).toContain('attempts');
  });

  it('crawl a site as a program of Crawlee would', async () => {
    const [program, ...more] = examplesOf('From Crawlee');
    expect(more).toEqual([]);
    const lines = (await printed(program)).trim().split('\n');
    expect(lines).toHaveLength(6);
    expect(lines).toContain(`${site.url('/about')} Small site /about`);
  });

  it('read a page as Markdown by its URL alone', async () => {
    const [request, ...more] = examplesOf('From Jina Reader');
    expect(more).toEqual([]);
    expect(await printed(request)).toMatch(/^# .*Small site/m);
  });

  it('render a page to HTML and PDF', async () => {
    const [request, ...more] = examplesOf('From Browserless');
    expect(more).toEqual([]);
    expect(JSON.parse(await printed(request))).toMatchObject({
      formats: { rawHtml: expect.stringContaining('<html') },
      actions: { pdfs: [expect.stringMatching(/^data:application\/pdf;base64,/)] },
    });
  });
});

function output({ code, out, err }: { code: number | null; out: string; err: string }): string {
  if (code !== 0) throw new Error(`the example ended with ${code}: ${err}`);
  return out;
}
