import { enrichmentCompleteness } from './completeness.js';
import { domainOf } from './domain.js';
import { jsonLd, readableFixture } from './fixtures/readable-page.js';
import { joinCompanyPages } from './join-company-pages.js';
import { readCompanyPage } from './read-company-page.js';

const read = (html: string, url?: string) => readCompanyPage(readableFixture(html, url));

describe('readCompanyPage', () => {
  it('returns data that a message between threads can carry', () => {
    const html = `<title>Acme</title>${jsonLd({ '@type': 'Store', email: 'a@acme.com' })}
      <a href="/contact">Contact</a><a href="tel:3125550142">Call</a>`;
    const page = read(html);
    expect(JSON.parse(JSON.stringify(page))).toEqual(page);
    expect(page).toEqual({
      url: 'https://www.acme.com/',
      emails: ['a@acme.com'],
      phones: [{ shown: '3125550142', number: '+13125550142', rank: 2, called: 'phone' }],
      profiles: [],
      team: [],
      place: {},
      homepage: { title: 'Acme' },
      links: [{ url: 'https://www.acme.com/contact', text: 'Contact' }],
    });
  });

  it.each([
    [
      'the card’s',
      '<meta property="og:image" content="/og.jpg"><div class="hero"><img src="/h.jpg"></div>',
      '/og.jpg',
    ],
    ['the other card’s', '<meta name="twitter:image" content="/tw.jpg">', '/tw.jpg'],
    [
      'the opening',
      '<p><img src="/first.jpg" width="900"></p><section class="hero"><img src="/h.jpg"></section>',
      '/h.jpg',
    ],
    [
      'the opening’s background',
      '<div class="hero" style="background-image: url(\'/bg.jpg\')"></div><img src="/x.jpg">',
      '/bg.jpg',
    ],
    [
      'the first large one',
      '<img src="/logo.png" width="900"><img src="/s.jpg" width="90"><img src="/l.jpg" width="900">',
      '/l.jpg',
    ],
  ])('takes the picture of %s', (_, html, path) => {
    expect(read(html).homepage.heroImage).toBe(`https://www.acme.com${path}`);
  });

  it.each([
    '<img src="/icon.svg">',
    '<img src="data:image/png;base64,AAAA">',
    '<footer><img src="/f.jpg"></footer>',
    '<meta property="og:image" content="javascript:x">',
  ])('takes no picture of %s', (html) => {
    expect(read(html).homepage.heroImage).toBeUndefined();
  });
});

describe('joinCompanyPages', () => {
  it('puts addresses of the own domain first, each part in the order of the pages', () => {
    const pages = [
      read('<p>acme@gmail.com b@acme.com</p>'),
      read('<p>A@acme.com B@acme.com c@mail.acme.com</p>'),
    ];
    expect(joinCompanyPages(pages, { domain: 'acme.com' }).emails).toEqual([
      'b@acme.com',
      'A@acme.com',
      'c@mail.acme.com',
      'acme@gmail.com',
    ]);
  });

  it('uses the facts of the first page, and has none without a page', () => {
    const pages = [read('<title>One</title>'), read('<title>Two</title>')];
    expect(joinCompanyPages(pages, { domain: 'acme.com' }).homepage).toEqual({ title: 'One' });
    expect(joinCompanyPages([], { domain: 'acme.com' })).toEqual({
      emails: [],
      phones: [],
      phoneNumbers: [],
      socials: {},
      team: [],
      homepage: {},
      place: {},
    });
  });
});

describe('enrichmentCompleteness', () => {
  const none = { emails: [], phones: [], socials: {}, tech: [], team: [], homepage: {} };

  it('is the share of eight signals', () => {
    expect(enrichmentCompleteness(none)).toBe(0);
    expect(enrichmentCompleteness({ ...none, emails: ['a@b.c'], tech: [1, 2] })).toBe(0.25);
    const homepage = { title: 't', description: 'd', heroImage: 'h' };
    const all = {
      emails: [1],
      phones: [1],
      socials: { twitter: 'x' },
      tech: [1],
      team: [1],
      homepage,
    };
    expect(enrichmentCompleteness(all)).toBe(1);
    expect(enrichmentCompleteness({ ...all, socials: {} })).toBe(0.875);
  });
});

describe('domainOf', () => {
  it.each([
    ['https://www.Acme.com:8443/a?b#c', 'acme.com'],
    ['http://shop.acme.co.uk', 'shop.acme.co.uk'],
    ['www.acme.com', 'acme.com'],
    ['ACME.com/about', 'acme.com'],
    ['acme.com.', 'acme.com'],
    ['http://127.0.0.1:3000/', '127.0.0.1'],
    ['http://[::1]:80/', '[::1]'],
    ['', ''],
    ['not a domain', ''],
  ])('of %j is %j', (url, domain) => {
    expect(domainOf(url)).toBe(domain);
  });
});
