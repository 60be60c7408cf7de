import { ApiError } from '@app/contracts';
import { Warnings } from '../options/warnings.js';
import { parseV2Search } from './v2-search.controller.js';

describe('a search of /v2', () => {
  it('is one of /v1', async () => {
    const warnings = new Warnings();
    const search = await parseV2Search(
      {
        ...{ query: 'crawlers', limit: 5, tbs: 'qdr:w', country: 'DE', lang: 'de' },
        ...{ sources: ['web', { type: 'news' }, 'alexandria'], categories: ['pdf', 'developer'] },
        ...{ includeDomains: ['a.example'], excludeDomains: ['b.example'] },
        scrapeOptions: { formats: [{ type: 'markdown' }], onlyMainContent: true, maxAge: 5 },
      },
      warnings,
    );
    expect(search).toEqual({
      request: {
        ...{ query: 'crawlers', limit: 5, tbs: 'qdr:w', country: 'DE', categories: ['pdf'] },
        ...{ includeDomains: ['a.example'], excludeDomains: ['b.example'] },
        ...{ scrapeResults: true, maxAge: 5 },
      },
      unsupported: ['news'],
    });
    expect(warnings.text).toBe(
      'Options that were ignored: lang, categories.developer, sources.alexandria.',
    );
  });

  it.each([undefined, {}, { formats: [] }])(
    'with the scrape options %j scrapes nothing',
    async (sent) => {
      const { request } = await parseV2Search({ query: 'x', scrapeOptions: sent }, new Warnings());
      expect(request).toEqual({ query: 'x', scrapeResults: false });
    },
  );

  it.each<[object, string]>([
    [{ query: undefined }, 'query_required'],
    [{ query: 1 }, 'invalid_request'],
    [{ query: 'x'.repeat(2_049) }, 'invalid_request'],
    [{ limit: 101 }, 'invalid_request'],
    [{ includeDomains: Array.from({ length: 21 }, () => 'a.example') }, 'invalid_request'],
    [{ sources: [1] }, 'invalid_request'],
    [{ country: 'Germany' }, 'invalid_request'],
    [{ scrapeOptions: { formats: ['html'] } }, 'unsupported_format'],
    [{ scrapeOptions: { actions: [{ type: 'scroll' }] } }, 'unsupported_action'],
    [{ scrapeOptions: { redactPII: true } }, 'unsupported_option'],
  ])('refuses %j: %s', async (fields, code) => {
    const error: unknown = await parseV2Search({ query: 'x', ...fields }, new Warnings()).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code });
  });
});
