import { DEFAULT_CONTENT_OPTIONS, DEFAULT_FETCH_OPTIONS } from '@app/contracts';
import { jobOptions } from './batch.service.js';
import type { BatchRequest } from './batch.dto.js';

const optionsOf = (fields: Partial<BatchRequest>) => jobOptions({ urls: [], ...fields });

describe('options of an async batch', () => {
  it('default to those of a scrape, and follow no links', () => {
    expect(optionsOf({})).toEqual({
      maxDepth: 0,
      includePaths: [],
      excludePaths: [],
      allowBackwardLinks: false,
      ignoreRobotsTxt: false,
      sitemap: 'skip',
      scrape: {
        formats: ['markdown'],
        listing: true,
        listingProvenance: false,
        fetch: DEFAULT_FETCH_OPTIONS,
        content: DEFAULT_CONTENT_OPTIONS,
      },
    });
  });

  it('contain a use to be respected', () => {
    expect(optionsOf({ respectUse: 'ai-input' })).toMatchObject({ respectUse: 'ai-input' });
  });

  it('contain the options that a page of a job supports', () => {
    const options = optionsOf({
      formats: ['links', 'branding', 'screenshot'],
      includeHtml: true,
      extractListing: false,
      onlyMainContent: true,
      excludeTags: ['nav'],
      headers: { 'X-One': '1' },
      cookies: 'a=1',
      location: { country: 'de' },
      forceHeadless: true,
      waitFor: 5,
      scroll: true,
      costCeiling: 0.5,
      ignoreRobotsTxt: true,
    });
    expect(options).toMatchObject({
      ignoreRobotsTxt: true,
      scrape: {
        formats: ['links', 'branding', 'screenshot', 'rawHtml'],
        listing: false,
        fetch: {
          headers: { 'x-one': '1' },
          cookies: 'a=1',
          country: 'DE',
          forceHeadless: true,
          waitForMs: 5,
          scroll: true,
          costCeilingMicroUsd: 500_000,
        },
        content: { onlyMainContent: true, excludeTags: ['nav'] },
      },
    });
  });

  it.each<[string, Partial<BatchRequest>]>([
    ['`actions`', { actions: [{ type: 'wait', ms: 1 }] }],
    ['`schema`', { schema: {} }],
    ['`jsonSchema`', { jsonSchema: {} }],
    ['`maxAge`', { maxAge: 1 }],
    ['`minAge`', { minAge: 1 }],
    ['format json', { formats: ['markdown', 'json'] }],
    ['format summary', { formats: ['summary'] }],
  ])('refuse %s by name', (name, fields) => {
    expect(() => optionsOf(fields)).toThrow(`${name} does not go with \`async: true\``);
  });

  it.each<Partial<BatchRequest>>([{ maxAge: 0 }, { actions: [] }, { actions: null, schema: null }])(
    'ignore %j',
    (fields) => {
      expect(optionsOf(fields)).toEqual(optionsOf({}));
    },
  );

  it('report an invalid header', () => {
    expect(() => optionsOf({ headers: { host: 'x' } })).toThrow('`headers`');
  });
});
