import type { DeclaredUse } from '@app/uses';
import { parseRobots } from '../robots/robots-rules.js';

/** The uses without their source, or null. */
function usesOf(text: string, path = '/page', agent = 'TrawlBot') {
  const use = parseRobots(text).declaredUse(new URL(path, 'https://a.example'), agent);
  if (use === undefined) return null;
  const { sources, ...uses } = use;
  expect(sources).toEqual(['robots.txt']);
  return uses;
}

const CLOUDFLARE = `# As a condition of accessing this website, you agree to abide by the following content signals:
# (a)  If a content-signal = yes, you may collect content for the corresponding use.
# BEGIN Cloudflare Managed content
User-agent: *
Content-Signal: search=yes,ai-train=no,use=reference
Allow: /

User-agent: GPTBot
Disallow: /
# END Cloudflare Managed Content
`;

describe('uses in a robots.txt', () => {
  it.each<[string, string, string, Omit<DeclaredUse, 'sources'> | null]>([
    ['as Cloudflare manages it', CLOUDFLARE, '/page', { search: true, aiTrain: false, use: 'reference' }],
    ['for another agent alone', 'User-agent: GPTBot\nContent-Signal: ai-train=no', '/', null],
    ['for us alone', 'User-agent: *\nContent-Signal: ai-train=no\n\nUser-agent: TrawlBot\nContent-Signal: ai-train=yes', '/', { aiTrain: true }],
    ['for all, while we have rules of our own', 'User-agent: *\nContent-Signal: ai-train=no\nUser-agent: trawlbot\nDisallow: /x', '/', null],
    ['before any agent', 'Content-Signal: search=yes, ai-input=yes, ai-train=no\nUser-Agent: *\nAllow: /', '/', { search: true, aiInput: true, aiTrain: false }],
    ['before any agent, for those named as well', 'Content-Signal: ai-train=no\nUser-Agent: TrawlBot\nAllow: /', '/', { aiTrain: false }],
    ['in two lines', 'User-agent: *\nContent-Signal: search=no\nContent-Signal: ai-train=no', '/', { search: false, aiTrain: false }],
    ['in two lines that disagree', 'User-agent: *\nContent-Signal: ai-train=yes\nContent-Signal: ai-train=no', '/', { aiTrain: false }],
    ['in two groups of one agent', 'User-agent: *\nContent-Signal: search=yes\n\nUser-agent: x\nDisallow:\n\nUser-agent: *\nContent-Signal: ai-train=no', '/', { search: true, aiTrain: false }],
    ['of Content-Usage', 'User-agent: *\nContent-Usage: train-ai=n', '/', { aiTrain: false }],
    ['of both, which disagree', 'User-agent: *\nContent-Signal: ai-train=yes\nContent-Usage: train-ai=n', '/', { aiTrain: false }],
    ['that says nothing', 'User-agent: *\nContent-Signal: maybe', '/', null],
    ['in odd spelling', 'user-agent:*\n\tCONTENT-SIGNAL :  AI-Train = NO  # all of it', '/', { aiTrain: false }],
    ['with comments of licences', 'User-agent: *\nLicense: https://a.example/rsl.xml', '/', null],
    ['of a robots.txt without any', 'User-agent: *\nDisallow: /private', '/', null],
  ])('are read: %s', (_, text, path, uses) => {
    expect(usesOf(text, path)).toEqual(uses);
  }); // prettier-ignore

  // draft-ietf-aipref-attach, Example.
  const BY_PATH =
    'User-Agent: *\nDisallow: /never/\nContent-Usage: train-ai=n, search=y\nContent-Usage: /ai-ok/ train-ai=y\nContent-Usage: /ai-ok/*.pdf$ train-ai=n\nContent-Usage: /%7Ejoe/ train-ai=y';
  it.each([
    ['/test', { aiTrain: false, search: true }],
    ['/ai-ok/test', { aiTrain: true }],
    ['/ai-ok', { aiTrain: false, search: true }],
    ['/ai-ok/a.pdf', { aiTrain: false }],
    ['/~joe/a', { aiTrain: true }],
  ])('apply to paths, the longest first: %s', (path, uses) => {
    expect(usesOf(BY_PATH, path)).toEqual(uses);
  });

  it('change no rule of access, and no delay', () => {
    const text =
      'User-agent: a\nContent-Signal: ai-train=no\nUser-agent: b\nCrawl-delay: 2\nDisallow: /';
    const rules = parseRobots(text);
    const url = new URL('https://a.example/x');
    expect(['a', 'b', 'c'].map((agent) => rules.isAllowed(url, agent))).toEqual([
      false,
      false,
      true,
    ]);
    expect(['a', 'b'].map((agent) => rules.crawlDelayMs(agent))).toEqual([2_000, 2_000]);
    expect(['a', 'b'].map((agent) => rules.declaredUse(url, agent)?.aiTrain)).toEqual([
      false,
      undefined,
    ]);
  });

  it.each([
    [1_000, true],
    [1_001, false],
  ])('are at most 1,000: of %i the last one is read: %s', (count, isRead) => {
    const lines = Array.from({ length: count }, (_, n) => `Content-Usage: /${n}$ train-ai=n`);
    const text = `User-agent: *\n${lines.join('\n')}`;
    expect(usesOf(text, `/${count - 1}`)).toEqual(isRead ? { aiTrain: false } : null);
  });
});

describe('licences in a robots.txt', () => {
  it('are those of License lines, ten at most, whatever the agent', () => {
    const lines = Array.from({ length: 11 }, (_, n) => `License: https://a.example/${n}.xml`);
    const { licenses } = parseRobots(`${lines[0]}\nUser-agent: x\n${lines.join('\n')}`);
    expect(licenses).toHaveLength(10);
    expect(licenses[0]).toBe('https://a.example/0.xml');
  });
});
