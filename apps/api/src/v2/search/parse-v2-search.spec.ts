import { ApiError } from '@app/contracts';
import { Warnings } from '../options/warnings.js';
import { parseV2Search } from './parse-v2-search.js';

describe('a search of /v2', () => {
  it('is one of /v1', () => {
    const warnings = new Warnings();
    const search = parseV2Search(
      {
        ...{ query: 'crawlers', limit: 5, tbs: 'qdr:w', country: 'DE', lang: 'de' },
        ...{ sources: ['web', { type: 'news' }, 'alexandria'], categories: ['pdf', 'developer'] },
        ...{ includeDomains: ['a.example'], excludeDomains: ['b.example'] },
        scrapeOptions: { formats: [{ type: 'markdown' }], onlyMainContent: true },
      },
      warnings,
    );
    expect(search).toEqual({
      ...{ query: 'crawlers', limit: 5, tbs: 'qdr:w', country: 'DE', categories: ['pdf'] },
      ...{ includeDomains: ['a.example'], excludeDomains: ['b.example'] },
      ...{ scrapeResults: true, unsupported: ['news'] },
    });
    expect(warnings.text).toBe(
      'Options that were ignored: lang, sources.alexandria, categories.developer.',
    );
  });

  it.each([undefined, {}, { formats: [] }])(
    'with the scrape options %j scrapes nothing',
    (sent) => {
      const search = parseV2Search({ query: 'x', scrapeOptions: sent }, new Warnings());
      expect(search.scrapeResults).toBe(false);
    },
  );

  it.each<[object, string]>([
    [{ query: '' }, 'invalid_request'],
    [{ query: ' ' }, 'invalid_request'],
    [{ query: 'x'.repeat(2_049) }, 'invalid_request'],
    [{ limit: 101 }, 'invalid_request'],
    [{ includeDomains: Array.from({ length: 21 }, () => 'a.example') }, 'invalid_request'],
    [{ sources: [1] }, 'invalid_request'],
    [{ country: 'Germany' }, 'invalid_request'],
    [{ scrapeOptions: { formats: ['html'] } }, 'unsupported_format'],
    [{ scrapeOptions: { actions: [{ type: 'scroll' }] } }, 'unsupported_action'],
    [{ scrapeOptions: { redactPII: true } }, 'unsupported_option'],
  ])('refuses %j: %s', (fields, code) => {
    const parse = (): unknown => parseV2Search({ query: 'x', ...fields }, new Warnings());
    expect(parse).toThrow(ApiError);
    expect(parse).toThrow(expect.objectContaining({ code }));
  });
});
