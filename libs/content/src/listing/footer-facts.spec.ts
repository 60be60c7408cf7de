import { readablePage } from '../readable-page.js';
import { readListing } from './read-listing.js';

const FACTS = 'Acme, 1 Main St, Springfield, IL 62701 (217) 544-0123';
const FOOT = `<footer>${FACTS}</footer>`;
const ORGANIZATION = `<script type="application/ld+json">{"@type":"Organization","name":"Acme","url":"https://acme.com/"}</script>`;
const BUSINESS = `<script type="application/ld+json">{"@type":"Plumber","name":"Acme","telephone":"(217) 544-0123"}</script>`;

const read = (
  path: string,
  body: string,
  head = '',
  title = 'Some words | Acme of Springfield',
) => {
  const url = `https://acme.com${path}`;
  const html = `<title>${title}</title>${head}<h1>Some words</h1>${body}`;
  return readListing(readablePage(html, url));
};

describe('facts that are only in the footer', () => {
  it.each([
    '/privacy-policy',
    '/terms',
    '/nothing-here',
    '/login',
    '/pricing',
    '/careers',
    '/cart',
    '/how-to-fix-a-leaky-tap',
  ])('make no listing of %s', (path) => {
    expect(read(path, `<p>Words.</p>${FOOT}`)).toBeNull();
    expect(read(path, `<header>${FACTS}</header><p>Words.</p>`)).toBeNull();
    expect(read(path, `<p>Words.</p>${FOOT}`, ORGANIZATION)).toBeNull();
  });

  it.each(['/', '/index.html', '/contact-us', '/locations'])('make a listing of %s', (path) => {
    expect(read(path, FOOT)).toMatchObject({ phone: '(217) 544-0123', city: 'Springfield' });
  });

  it('make a listing of a page that is named for the town', () => {
    expect(read('/heaters', FOOT, '', 'Heaters in Springfield | Acme')).not.toBeNull();
    expect(read('/springfield/heaters', FOOT)).not.toBeNull();
    expect(read('/springfieldian', FOOT)).toBeNull();
  });

  it('make no listing of a page that only mentions a number', () => {
    expect(read('/leaks', `<p>Call (217) 544-0123.</p>${FOOT}`)).toBeNull();
  });
});

describe('facts in the content', () => {
  it.each([
    ['a street', `<p>${FACTS}</p>`],
    ['the head of an article', `<article><header>${FACTS}</header></article>`],
    ['a foot in the main element', `<main><footer>${FACTS}</footer></main>`],
    [
      'a street, with the number above',
      `<header>(217) 544-0123</header><p>1 Main St, Springfield, IL 62701</p>`,
    ],
    ['hours and a number', `<p>(217) 544-0123</p><p>Monday to Friday 9am - 5pm</p>${FOOT}`],
  ])('make a listing of any page: %s', (_, body) => {
    expect(read('/springfield', body)).toMatchObject({ phone: '(217) 544-0123' });
  });

  it.each([
    '/privacy',
    '/terms-of-service.html',
    '/cart',
    '/checkout/',
    '/sign-in',
    '/careers/nurse',
  ])('make none of %s, which every site has', (path) => {
    expect(read(path, `<p>${FACTS}</p>`)).toBeNull();
    expect(read(path, `<p>${FACTS}</p>`, BUSINESS)).toBeNull();
  });

  it('make a listing of a shop that sells cookies', () => {
    expect(read('/cookies', `<p>${FACTS}</p>`)).not.toBeNull();
  });
});

describe('a page with the Open Graph type article', () => {
  const TYPE = '<meta property="og:type" content="article">';

  it('is no listing, whatever it contains', () => {
    expect(read('/why-widgets', `<p>${FACTS}</p>`, TYPE)).toBeNull();
    expect(read('/why-widgets', FOOT, TYPE)).toBeNull();
    expect(read('/why-widgets', `<p>${FACTS}</p>`, TYPE + ORGANIZATION)).toBeNull();
  });

  it('may be one that is named for the town, if it has no date', () => {
    const dated = `${TYPE}<meta property="article:published_time" content="2024-01-02">`;
    expect(read('/springfield', `<p>${FACTS}</p>`, TYPE)).not.toBeNull();
    expect(read('/springfield', `<p>${FACTS}</p>`, dated)).toBeNull();
  });

  it('is one on the front and contact page, and of a marked business, if it has no date', () => {
    expect(read('/', FOOT, TYPE)).not.toBeNull();
    expect(read('/contact', FOOT, TYPE)).not.toBeNull();
    expect(read('/springfield', '', TYPE + BUSINESS)).not.toBeNull();
  });
});
