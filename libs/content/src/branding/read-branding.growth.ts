import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { readablePage } from '../readable-page.js';
import { BRAND_PAGE_URL } from './fixtures/brand-pages.js';
import { type BrandingSurvey, surveyBranding } from './read-branding.js';
import { HOSTILE_STYLES } from './fixtures/hostile-styles.js';

const survey = (html: string): BrandingSurvey => surveyBranding(readablePage(html, BRAND_PAGE_URL));

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
