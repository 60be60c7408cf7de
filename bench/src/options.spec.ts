import { parseOptions } from './options.js';

describe('parseOptions', () => {
  it('has defaults for everything', () => {
    expect(parseOptions([])).toEqual({
      suite: 'crawl',
      rounds: 3,
      pages: 300,
      only: ['crawlee', 'scrapy', 'scrapy-native', 'trawl', 'trawl-embedded', 'bare'],
      concurrency: 16,
      fetchers: 1,
      latencyMs: 0,
      profile: false,
      fresh: false,
      roundTimeoutMs: 600_000,
    });
  });

  it('reads flags', () => {
    const options = parseOptions(['--only', 'bare,trawl', '--pages=2000', '--profile']);
    expect(options).toMatchObject({ only: ['bare', 'trawl'], pages: 2_000, profile: true });
  });

  it('has contenders and sizes per suite', () => {
    expect(parseOptions(['--suite', 'rendered'])).toMatchObject({
      only: ['crawlee-playwright', 'crawlee-incognito', 'trawl-scrape', 'trawl-crawl'],
      pages: 60,
      concurrency: 4,
    });
  });

  it.each([
    [['--suite', 'screenshots'], "there is no 'screenshots'"],
    [['--suite', 'rendered', '--only', 'bare'], "there is no 'bare'"],
    [['--rounds', '0'], '--rounds must be a whole number from 1'],
    [['--pages', 'many'], "not 'many'"],
    [['--only', 'wget'], "there is no 'wget'"],
    [['--speed'], '--speed'],
  ])('refuses %j', (args, text) => {
    expect(() => parseOptions(args)).toThrow(text);
  });
});
