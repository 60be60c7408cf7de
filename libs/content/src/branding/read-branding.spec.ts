import { readablePage } from '../readable-page.js';
import { BRAND_PAGES, BRAND_PAGE_URL } from './fixtures/brand-pages.js';
import { type BrandingSurvey, readBranding, surveyBranding } from './read-branding.js';
import { HOSTILE_STYLES } from './fixtures/hostile-styles.js';

function survey(html: string): BrandingSurvey {
  return surveyBranding(readablePage(html, BRAND_PAGE_URL));
}

describe('readBranding', () => {
  it.each(BRAND_PAGES.map((page) => [page.name, page] as const))('reads %s', (_, page) => {
    const { branding, cuts } = survey(page.html);
    expect(branding).toEqual(page.branding);
    expect(cuts).toEqual([]);
  });

  it('returns the same for the same page', () => {
    for (const { html } of BRAND_PAGES) {
      expect(JSON.stringify(survey(html))).toBe(JSON.stringify(survey(html)));
    }
  });

  it('is what a survey has without its cuts', () => {
    const page = readablePage(BRAND_PAGES[0]?.html ?? '', BRAND_PAGE_URL);
    expect(readBranding(page)).toEqual(surveyBranding(page).branding);
  });
});

describe('the caps of branding', () => {
  const style = (css: string): string => `<style>${css}</style><body><p>x`;

  it.each<[string, string, string]>([
    ['css_cap', 'CSS', `body{color:#123456}${'.a{x:y}\n'.repeat(450_000)}body{color:#654321}`],
    [
      'var_depth_cap',
      'a chain of variables',
      `:root{--v0:#f00;${Array.from({ length: 12 }, (_, at) => `--v${at + 1}:var(--v${at})`).join(';')}}body{background:var(--v12);color:#123456}`,
    ],
    [
      'var_depth_cap',
      'a variable of itself',
      ':root{--a:var(--a)}body{background:var(--a);color:#123456}',
    ],
    [
      'css_value_cap',
      'a custom property',
      `:root{--a:${'x'.repeat(600)}}body{background:var(--a);color:#123456}`,
    ],
    [
      'css_value_cap',
      'variables that grow',
      `:root{--a:${'x '.repeat(200)};--b:${'var(--a) '.repeat(40)};--c:${'var(--b) '.repeat(40)}}body{background:var(--c);color:#123456}`,
    ],
    [
      'var_budget',
      'variables in variables',
      `:root{${Array.from({ length: 5 }, (_, at) => `--v${at}:${`var(--v${at + 1})`.repeat(20)}`).join(';')};--v5:}body{background:var(--v0);color:#123456}`,
    ],
  ])('%s: %s is cut, and the rest is read', (cut, _, css) => {
    const { branding, cuts } = survey(style(css));
    expect(cuts).toContain(cut);
    expect(branding.colors?.textPrimary).toBe('#123456');
  });

  it('button_scan_cap: the first 500 buttons are read', () => {
    const button = '<button style="background:#123456">x</button>';
    expect(survey(button.repeat(500)).cuts).toEqual([]);
    const { branding, cuts } = survey(button.repeat(501));
    expect(cuts).toEqual(['button_scan_cap']);
    expect(branding.components?.buttonPrimary?.background).toBe('#123456');
  });
});

describe('hostile styles', () => {
  it.each(Object.entries(HOSTILE_STYLES))('%s: read', (_, styleOf) => {
    const { branding } = survey(`<style>${styleOf(5_000)}</style><p><h1>x</h1><button>x</button>`);
    expect(branding).toEqual(expect.any(Object));
  });
});
