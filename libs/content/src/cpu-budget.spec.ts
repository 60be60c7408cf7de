import { CpuBudget } from './cpu-budget.js';
import { extractPage } from './extract-page.js';

const URL = 'https://example.com/';
const OUTPUTS = { markdown: true, links: true, rawHtml: false, listing: true, branding: true };

function extract(html: string, maxCpuMs: number) {
  const body = Buffer.from(`<title>T</title>${html}`);
  const input = { body, contentType: 'text/html; charset=utf-8', url: URL };
  return extractPage(input, { ...OUTPUTS, read: () => 'read', maxCpuMs });
}

describe('the CPU time of a page', () => {
  it('is spent by the clock of the thread, in parts', () => {
    let nowMs = 100;
    const cpu = new CpuBudget(50, () => nowMs);
    nowMs = 124;
    expect([cpu.isSpent(0.5), cpu.isSpent()]).toEqual([false, false]);
    nowMs = 125;
    expect([cpu.isSpent(0.5), cpu.isSpent()]).toEqual([true, false]);
    nowMs = 150;
    expect(cpu.isSpent()).toBe(true);
  });

  it('reads the clock once in a thousand nodes', () => {
    let looks = 0;
    const cpu = new CpuBudget(1, () => looks++ * 0);
    for (let node = 0; node < 10_000; node++) cpu.isSpentAtNode();
    expect(looks).toBeLessThan(12);
  });

  it('leaves out outputs for which there is none left, and names the cut', () => {
    const page = extract('<p>one</p>', 0);
    expect(page).toMatchObject({ markdown: 'one\n', metadata: { title: 'T' } });
    expect(page.truncatedBy).toBe('max_cpu');
    expect([page.listing, page.branding, page.read]).toEqual([undefined, undefined, undefined]);
  });

  it('ends the tree and the Markdown of a large page, which keeps its start', () => {
    const page = extract('<p>one</p>'.repeat(50_000), 0);
    expect(page.truncatedBy).toBe('max_cpu');
    expect(page.markdown).toMatch(/^one\n\none\n/);
    expect(page.markdown?.length).toBeLessThan(10_000);
    expect(page.visibleChars).toBeGreaterThan(0);
  });

  it('cuts nothing of a page that stays within it', () => {
    const page = extract('<p>one</p>'.repeat(5_000), 60_000);
    expect(page.truncatedBy).toBeUndefined();
    expect(page.read).toBe('read');
  });
});
