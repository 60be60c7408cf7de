import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { parsePage } from '../dom/parse-html.js';
import { UrlResolver } from '../links/url-resolver.js';
import { readMetadata } from '../metadata/read-metadata.js';
import { PAGE_URL } from './fixtures/brand-pages.js';
import { type BrandingSurvey, surveyBranding } from './read-branding.js';
import { HOSTILE_STYLES } from './fixtures/hostile-styles.js';

function survey(html: string): BrandingSurvey {
  const page = parsePage(html);
  const resolver = new UrlResolver(PAGE_URL);
  return surveyBranding(page, resolver, readMetadata(page.described, resolver).metadata);
}

describe('hostile styles', () => {
  it.each(Object.entries(HOSTILE_STYLES))(
    '%s: read in time linear in their length',
    async (_, make) => {
      const body = '<div>'.repeat(100) + '<p><h1>x</h1><button class=primary>x</button>';
      const cost = cpuCost((n) => `<style>${make(n)}</style>${body}`, survey);
      expect(await growthOf(cost, { from: 50_000 })).toBeLessThan(LINEAR_GROWTH);
    },
  );
});
