import { readableFixture } from '../fixtures/readable-page.js';
import { readCompanyPage } from '../read-company-page.js';
import { choosePages } from './choose-pages.js';
import { FIXED_PATHS } from './priority-of.js';

const chosen = (links: readonly (readonly [href: string, text: string])[], max = 10): string[] => {
  const html = links.map(([href, text]) => `<a href="${href}">${text}</a>`).join(' ');
  const page = readCompanyPage(readableFixture(html, 'https://www.acme.com/'));
  return choosePages(page, max).map((url) => url.replace('https://www.acme.com', ''));
};

describe('choosePages', () => {
  it.each([
    ['/x1', 'About us'],
    ['/x1', 'Our Team'],
    ['/x1', 'Über uns'],
    ['/x1', 'Ansprechpartner'],
    ['/x1', 'Impressum'],
    ['/x1', 'Qui sommes-nous ?'],
    ['/x1', 'L’équipe'],
    ['/x1', 'Contáctanos'],
    ['/x1', 'Chi siamo'],
    ['/x1', 'Over ons'],
    ['/x1', 'O nás'],
    ['/x1', 'Om oss'],
    ['/x1', '会社概要'],
    ['/x1', 'お問い合わせ'],
    ['/x1', '关于我们'],
    ['/x1', 'Leadership'],
    ['/x1', 'Customer Support'],
    ['/ueber_uns.html', 'mehr'],
    ['/%C3%BCber-uns/', 'mehr'],
    ['/company/our-team.php', 'more'],
    ['/kontakt', ''],
    ['/x1', '<img alt="Contact" src="c.png">'],
    ['/x1', 'Contact our Dallas office'],
  ])('takes %s (%s)', (href, text) => {
    expect(chosen([[href, text]])).toEqual([href]);
  });

  it.each([
    ['/pricing', 'Pricing'],
    ['/', 'About'],
    ['https://www.acme.com/index.html', 'About'],
    ['https://other.com/about', 'About'],
    ['https://www.acme.com:8080/about', 'About'],
    ['/blog/about-our-team', 'About our team'],
    ['/2024/05/team', 'Team'],
    ['/team.pdf', 'Team'],
    ['/jobs/support/engineer', 'Engineer'],
    ['mailto:contact@acme.com', 'Contact'],
    ['#contact', 'Contact'],
    ['/product/contact/lens', 'Lens'],
  ])('leaves %s (%s)', (href, text) => {
    expect(chosen([[href, text]])).toEqual([]);
  });

  it('takes the best of each kind first, then the second best, at most one less than requested', () => {
    const links = [
      ['/support', 'Support'],
      ['/locations/contact', 'Contact Dallas'],
      ['/contact', 'Contact'],
      ['/team', 'Team'],
      ['/about', 'About'],
      ['/about/history', 'Our Story'],
    ] as const;
    const all = ['/about', '/team', '/contact', '/support', '/about/history', '/locations/contact'];
    expect(chosen(links)).toEqual(all);
    expect(chosen(links, 4)).toEqual(all.slice(0, 3));
    expect(chosen(links, 1)).toEqual([]);
  });

  it('takes each page once, whatever its spelling', () => {
    const links = [
      ['/contact', 'Contact'],
      ['/contact/', 'Contact us'],
      ['/Contact#form', 'Form'],
      ['https://acme.com/contact', 'Kontakt'],
    ] as const;
    expect(chosen(links)).toEqual(['/contact']);
  });

  it('knows the fixed pages of the specification', () => {
    expect(FIXED_PATHS).toEqual([
      '/about',
      '/about-us',
      '/team',
      '/our-team',
      '/contact',
      '/contact-us',
    ]);
  });
});
