import { claimedPage } from '../../../test/claimed-page.js';
import { endSitemap, type SitemapEnd } from './sitemap-pages.js';

const page = (attempts = 1) => claimedPage({ kind: 'sitemap', attempts, depth: 0 });
const failed = (
  errorClass: 'http_error' | 'timeout' | 'robots' | 'network' | 'parse_error',
  statusCode: number | null = null,
  retryAfterMs: number | null = null,
): SitemapEnd => ({ kind: 'failed', errorClass, statusCode, retryAfterMs, latencyMs: 7 });

describe('the end of a sitemap', () => {
  it.each<[string, SitemapEnd, object]>([
    ['read', { kind: 'read', statusCode: 200, found: [] }, { statusCode: 200 }],
    ['missing', { kind: 'none', statusCode: 404 }, { statusCode: 404 }],
    ['forbidden', failed('robots'), { statusCode: null }],
    ['refused', failed('http_error', 403), { statusCode: 403 }],
  ])('%s is a skip, free of charge', (_, end, outcome) => {
    expect(endSitemap(page(), end, 3)).toMatchObject({
      outcome: { state: 'skipped', reason: 'sitemap', credits: 0, ...outcome },
      document: null,
      signal: { kind: 'silent' },
    });
  });

  it.each<[SitemapEnd, string, number]>([
    [failed('http_error', 503, 9_000), 'backoff', 9_000],
    [failed('timeout'), 'backoff', 1_000],
    [failed('network'), 'silent', 1_000],
    [{ kind: 'later' }, 'silent', 5_000],
  ])('that may pass is tried again like a page: %j', (end, signal, retryInMs) => {
    expect(endSitemap(page(), end, 3)).toMatchObject({
      outcome: { state: 'pending', reason: null, retryInMs },
      signal: { kind: signal },
    });
    expect(endSitemap(page(3), end, 3).outcome).toMatchObject({
      state: 'skipped',
      reason: 'sitemap',
    });
  });
});
