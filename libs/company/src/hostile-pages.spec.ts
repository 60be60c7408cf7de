import fc from 'fast-check';
import { loadCompanySites } from '@app/testing';
import { readableFixture } from './fixtures/readable-page.js';
import { MAX_PAGE_EMAILS, MAX_PAGE_PHONES, MAX_PRIORITY_LINKS, MAX_TEAM } from './limits.js';
import { readCompanyPage } from './read-company-page.js';
import { HOSTILE_COMPANY_PAGES } from './fixtures/hostile-company-pages.js';

const read = (html: string) => readCompanyPage(readableFixture(html, 'https://acme.com/team'));

const fragment = fc.oneof(
  fc.string(),
  fc.constantFrom(
    ...'<p>|</p>|<h2>|</h2>|<b>|<table><tr><td>|</td><td>|<a href="mailto:|<a href="tel:|">|</a>|<div class="team">|<footer>|jane@acme.com| [at] | at | dot com|@|(312) 555-0142|Fax |Anna Lee|CEO|, |: | – |Our Team|<i data-cfemail="7f1e">|<b style="unicode-bidi:bidi-override">|<script>var addy1 = \'a\' + \'&#64;\';</script>|https://x.com/acme|%|%zz|\ud800|\0|田辺 一郎|代表'.split(
      '|',
    ),
  ),
);

describe('readCompanyPage on anything', () => {
  it('never throws, and answers the same twice', () => {
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 60 }), (parts) => {
        const html = parts.join('');
        expect(JSON.stringify(read(html))).toBe(JSON.stringify(read(html)));
      }),
      { numRuns: 300 },
    );
  });

  it('never throws on any JSON-LD', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.constantFrom('employee', 'sameAs', 'email', 'telephone'),
        (json, key) => {
          read(
            `<script type="application/ld+json">{"@type":"Organization","${key}":${json}}</script>`,
          );
        },
      ),
      { numRuns: 200 },
    );
  });

  it('never throws on a page cut anywhere or turned over', () => {
    const pages = loadCompanySites().flatMap((site) => [...site.pages.values()]);
    fc.assert(
      fc.property(fc.constantFrom(...pages), fc.nat(), (html, cut) => {
        const at = cut % html.length;
        read(html.slice(0, at));
        read(html.slice(at) + html.slice(0, at));
      }),
      { numRuns: 100 },
    );
  });

  it('is bounded', () => {
    const many = (make: (n: number) => string): string =>
      Array.from({ length: 2_000 }, (_, n) => make(n)).join('');
    const page = read(
      many((n) => `<p>a${n}@acme.com</p>`) +
        many((n) => `<p>312-555-${String(n).padStart(4, '0')}</p>`) +
        many((n) => `<a href="/contact/${n}">Contact ${n}</a>`),
    );
    expect(page.emails).toHaveLength(MAX_PAGE_EMAILS);
    expect(page.phones).toHaveLength(MAX_PAGE_PHONES);
    expect(page.links).toHaveLength(MAX_PRIORITY_LINKS);
    expect(page.team.length).toBeLessThanOrEqual(MAX_TEAM);
  });
});

describe('readCompanyPage on hostile pages', () => {
  it.each(HOSTILE_COMPANY_PAGES)('answers on %s', (_, largest, htmlOf) => {
    expect(read(htmlOf(largest / 100)).emails.length).toBeLessThanOrEqual(MAX_PAGE_EMAILS);
  });
});
