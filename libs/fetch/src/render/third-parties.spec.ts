import { isNeedless, THIRD_PARTY_PATTERNS } from './third-parties.js';
import { THIRD_PARTY_HOSTS } from './third-party-hosts.js';

describe('a request that a page does not need', () => {
  it.each([
    ['https://www.google-analytics.com/analytics.js', true],
    ['https://securepubads.g.doubleclick.net/tag/js/gpt.js', true],
    ['https://static.hotjar.com/c/hotjar-1.js?sv=6', true],
    ['https://embed.tawk.to/x/default', true],
    ['https://cdn.cookielaw.org/scripttemplates/otSDKStub.js', true],
    ['https://www.doubleclick.net.example/x.js', false],
    ['https://notdoubleclick.net/x.js', false],
    ['https://example.com/?from=//doubleclick.net/', false],
    ['https://cdn.jsdelivr.net/npm/vue', false],
    ['https://ajax.googleapis.com/ajax/libs/jquery/3.7.1/jquery.min.js', false],
    ['https://127.0.0.1:8080/analytics.js', false],
  ])('%s: %s', (url, expected) => {
    expect(isNeedless(url, 'https://shop.example/')).toBe(expected);
  });

  it('is none of the site of the page itself', () => {
    expect(isNeedless('https://static.hotjar.com/app.js', 'https://www.hotjar.com/')).toBe(false);
    expect(isNeedless('https://doubleclick.net/', 'https://doubleclick.net/')).toBe(false);
  });

  it('matches a pattern', () => {
    const patterns = THIRD_PARTY_PATTERNS.map(({ urlPattern }) => urlPattern);
    expect(patterns).toContain('*doubleclick.net*');
    expect(THIRD_PARTY_HOSTS.filter((host) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host))).toEqual(
      [],
    );
    expect(new Set(patterns).size).toBe(patterns.length);
  });
});
