import fc from 'fast-check';
import { cpuCost, growthOf, LINEAR_GROWTH, loadCompanySites } from '@app/testing';
import { readablePage } from './fixtures/readable-page.js';
import { MAX_PAGE_EMAILS, MAX_PAGE_PHONES, MAX_PRIORITY_LINKS, MAX_TEAM } from './limits.js';
import { readCompanyPage } from './read-company-page.js';

const read = (html: string) => readCompanyPage(readablePage(html, 'https://acme.com/team'));

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

const script = (json: string): string => `<script type="application/ld+json">${json}</script>`;

describe('readCompanyPage on hostile pages', () => {
  /** What grows with `n`, and its largest `n`. */
  it.each<readonly [string, number, (n: number) => string]>([
    ['signs in a line', 1_000_000, (n) => `<p>${'@'.repeat(n)}</p>`],
    ['signs in lines', 200_000, (n) => `<p>${'a@'.repeat(20)}</p>`.repeat(n / 20)],
    ['addresses', 100_000, (n) => '<p>jane@acme.com bob@acme.org</p>'.repeat(n)],
    ['at', 200_000, (n) => `<p>${'at '.repeat(100)}</p>`.repeat(n / 100)],
    ['marked at', 200_000, (n) => `<p>${'a [at] b '.repeat(50)}</p>`.repeat(n / 50)],
    ['dots', 500_000, (n) => `<p>a@${'a.'.repeat(500)}</p>`.repeat(n / 500)],
    ['spelled dots', 200_000, (n) => `<p>a [at] b${' dot b'.repeat(100)}</p>`.repeat(n / 100)],
    ['digits', 1_000_000, (n) => `<p>${'1'.repeat(1_000)}</p>`.repeat(n / 1_000)],
    ['digits and dashes', 500_000, (n) => `<p>${'312-'.repeat(250)}</p>`.repeat(n / 250)],
    ['numbers', 100_000, (n) => '<p>Tel (312) 555-0142 Fax +49 30 23125014</p>'.repeat(n)],
    [
      'German digits',
      200_000,
      (n) => `<html lang=de>${`<p>Tel ${'0 1-'.repeat(100)}</p>`.repeat(n / 100)}`,
    ],
    ['brackets', 500_000, (n) => `<p>${'('.repeat(500)}</p>`.repeat(n / 500)],
    ['telephone links', 100_000, (n) => '<a href="tel:3125550142">(312) 555-0142</a>'.repeat(n)],
    ['mail links', 100_000, (n) => '<a href="mailto:jane@acme.com,bob@acme.com">x</a>'.repeat(n)],
    ['social links', 100_000, (n) => '<a href="https://x.com/acme">Follow us</a>'.repeat(n)],
    ['names', 100_000, (n) => '<h3>Anna Lee</h3>'.repeat(n)],
    ['names and roles', 100_000, (n) => '<h3>Anna Lee</h3><p>CEO</p>'.repeat(n)],
    ['commas', 100_000, (n) => `<p>${'Anna Lee, '.repeat(20)}</p>`.repeat(n / 20)],
    ['capitals', 200_000, (n) => `<p>${'A '.repeat(100)}</p>`.repeat(n / 100)],
    ['inline elements', 200_000, (n) => `<p>${'<b>a</b>'.repeat(n)}</p>`],
    ['lines of one block', 200_000, (n) => `<p>${'Anna Lee<br>'.repeat(n)}</p>`],
    ['nested blocks', 100_000, (n) => '<div class="a">'.repeat(400) + '<p>Anna Lee</p>'.repeat(n)],
    [
      'nested testimonials',
      50_000,
      (n) => '<div class=x>'.repeat(400) + '<p>a@b.com</p>'.repeat(n),
    ],
    ['encoded attributes', 100_000, (n) => `<i data-cfemail="${'7f'.repeat(20)}"></i>`.repeat(n)],
    [
      'turned attributes',
      100_000,
      (n) => `<i data-mailto-token="${'q'.repeat(100)}"></i>`.repeat(n),
    ],
    ['quotes in a script', 200_000, (n) => `<script>addy1 = '@'${" + 'a'".repeat(n)}</script>`],
    ['scripts', 20_000, (n) => `<script>var addy1 = 'a' + '@';</script>`.repeat(n)],
    [
      'styles',
      50_000,
      (n) => `<i class=hero style="background: ${'url('.repeat(20)}"></i>`.repeat(n),
    ],
    [
      'JSON-LD',
      30_000,
      (n) => script(`[${'{"@type":"Person","name":"Anna Lee","jobTitle":"CEO"},'.repeat(n)}{}]`),
    ],
    [
      'roles in JSON-LD',
      20_000,
      (n) =>
        script(
          `{"@type":"Organization","member":[${'{"@type":"OrganizationRole","roleName":"CEO","member":{"@type":"Person","name":"Anna Lee"}},'.repeat(n)}{}]}`,
        ),
    ],
    ['nested anchors', 50_000, (n) => '<a href="/contact"><i>'.repeat(n)],
  ])('answers in time linear in %s', async (_, largest, htmlOf) => {
    const cost = cpuCost((n) => readablePage(htmlOf(n), 'https://acme.com/team'), readCompanyPage);
    const growth = await growthOf(cost, { from: largest / 16, upTo: largest });
    expect(growth).toBeLessThan(LINEAR_GROWTH);
  });
});
