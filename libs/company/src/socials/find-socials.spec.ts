import { jsonLd, readableFixture } from '../fixtures/readable-page.js';
import { joinCompanyPages } from '../join-company-pages.js';
import { readCompanyPage } from '../read-company-page.js';
import { profileOf } from './profile-of.js';

describe('profileOf', () => {
  it.each([
    ['https://www.linkedin.com/company/acme-inc/', 'https://www.linkedin.com/company/acme-inc'],
    ['http://de.linkedin.com/company/acme/about?trk=x', 'https://www.linkedin.com/company/acme'],
    ['https://linkedin.com/in/jane-doe-1a2b', 'https://www.linkedin.com/in/jane-doe-1a2b'],
    [
      'https://www.linkedin.com/school/acme-college',
      'https://www.linkedin.com/school/acme-college',
    ],
    ['https://twitter.com/acme?lang=en', 'https://twitter.com/acme'],
    ['https://twitter.com/#!/acme', 'https://twitter.com/acme'],
    ['https://twitter.com/@acme', 'https://twitter.com/acme'],
    ['http://www.x.com/acme/', 'https://x.com/acme'],
    ['https://mobile.twitter.com/acme', 'https://twitter.com/acme'],
    ['http://facebook.com/acme', 'https://www.facebook.com/acme'],
    ['https://m.facebook.com/acme/', 'https://www.facebook.com/acme'],
    ['https://de-de.facebook.com/acme', 'https://www.facebook.com/acme'],
    ['https://www.facebook.com/acme/photos/', 'https://www.facebook.com/acme'],
    ['https://fb.com/acme', 'https://www.facebook.com/acme'],
    [
      'https://www.facebook.com/profile.php?id=1000123&ref=x',
      'https://www.facebook.com/profile.php?id=1000123',
    ],
    [
      'https://www.facebook.com/pages/Acme-Inc/123456789?fref=ts',
      'https://www.facebook.com/pages/Acme-Inc/123456789',
    ],
    ['https://www.facebook.com/p/Acme-1000636/', 'https://www.facebook.com/p/Acme-1000636'],
    ['https://www.facebook.com/pg/acme/about', 'https://www.facebook.com/acme'],
    ['https://instagram.com/acme.inc/?hl=en', 'https://www.instagram.com/acme.inc'],
    ['https://www.youtube.com/@acme/videos', 'https://www.youtube.com/@acme'],
    [
      'https://www.youtube.com/channel/UCq1w2e3?sub_confirmation=1',
      'https://www.youtube.com/channel/UCq1w2e3',
    ],
    ['https://youtube.com/user/acme', 'https://www.youtube.com/user/acme'],
    ['https://www.youtube.com/c/Acme', 'https://www.youtube.com/c/Acme'],
    ['https://www.youtube.com/acme', 'https://www.youtube.com/acme'],
  ])('reads %s', (address, url) => {
    expect(profileOf(address)?.url).toBe(url);
  });

  it.each([
    'https://www.linkedin.com/shareArticle?mini=true&url=x',
    'https://www.linkedin.com/sharing/share-offsite/?url=x',
    'https://www.linkedin.com/feed/',
    'https://www.linkedin.com/posts/acme_1',
    'https://www.linkedin.com/company/',
    'https://linkedin.com',
    'https://twitter.com/intent/tweet?text=x',
    'https://twitter.com/share?url=x',
    'https://x.com/intent/post?text=x',
    'https://twitter.com/home?status=x',
    'https://twitter.com/acme/status/123',
    'https://twitter.com/hashtag/acme',
    'https://twitter.com/',
    'https://platform.twitter.com/widgets.js',
    'https://help.x.com/acme',
    'https://twitter.com/wix',
    'https://netflix.com/acme',
    'https://www.facebook.com/sharer/sharer.php?u=x',
    'https://www.facebook.com/sharer.php?u=x',
    'https://www.facebook.com/dialog/share?app_id=1',
    'https://www.facebook.com/plugins/page.php?href=x',
    'https://www.facebook.com/tr?id=1&ev=PageView',
    'https://www.facebook.com/v2.10/dialog/feed',
    'https://www.facebook.com/groups/acme',
    'https://www.facebook.com/events/123',
    'https://www.facebook.com/acme/posts/123',
    'https://www.facebook.com/2008/fbml',
    'https://www.facebook.com/yourpage',
    'https://connect.facebook.net/en_US/sdk.js',
    'https://www.instagram.com/p/Cx1/',
    'https://www.instagram.com/explore/tags/acme/',
    'https://www.instagram.com/reel/abc/',
    'https://www.youtube.com/watch?v=abc',
    'https://www.youtube.com/embed/abc',
    'https://youtu.be/abc',
    'https://www.youtube.com/playlist?list=abc',
    'https://www.youtube.com/%E0%A4%A',
    'https://www.tiktok.com/@acme',
    'not an address',
  ])('sees no profile in %s', (address) => {
    expect(profileOf(address)).toBeUndefined();
  });
});

const read = (...htmls: readonly string[]) =>
  joinCompanyPages(
    htmls.map((html) => readCompanyPage(readableFixture(html))),
    { domain: 'acme.com' },
  ).socials;

const link = (url: string, text = 'x', attributes = ''): string =>
  `<a ${attributes} href="${url}">${text}</a>`;

describe('social profiles', () => {
  it.each([
    ['in the foot', `<footer>${link('//facebook.com/acme')}</footer>`],
    ['in the head', `<header>${link('https://facebook.com/acme')}</header>`],
    ['by rel=me', link('https://facebook.com/acme', 'y', 'rel="me"')],
    [
      'named for the network',
      `<p>${link('https://facebook.com/acmeltd', 'Follow us on Facebook')}</p>`.replace(
        'acmeltd',
        'acme',
      ),
    ],
    ['as an icon', `<div>${link('https://facebook.com/acme', '<svg></svg>')}</div>`],
    [
      'in a block named for it',
      `<div class="social-links">${link('https://facebook.com/acme', 'f')}</div>`,
    ],
    ['by JSON-LD', jsonLd({ '@type': 'RealEstateAgent', sameAs: ['https://facebook.com/acme/'] })],
    [
      'by its meta element',
      '<meta property="article:publisher" content="https://www.facebook.com/acme">',
    ],
  ])('are read: %s', (_, html) => {
    expect(read(html)).toEqual({ facebook: 'https://www.facebook.com/acme' });
  });

  it('take the handle of the card', () => {
    expect(read('<meta name="twitter:site" content="@acme">')).toEqual({
      twitter: 'https://twitter.com/acme',
    });
  });

  it.each([
    [
      'mentioned in the text',
      `<p>See ${link('https://facebook.com/otherfirm', 'our friends')}</p>`,
    ],
    [
      'of a customer',
      `<footer><div class="testimonial">${link('https://x.com/bob')}</div></footer>`,
    ],
    [
      'among share links',
      `<footer><div class="share-buttons">${link('https://facebook.com/bob')}</div></footer>`,
    ],
    ['of who made the site', `<footer>Site by ${link('https://facebook.com/pixelfarm')}</footer>`],
    ['of an author', jsonLd({ '@type': 'Person', name: 'Bob', sameAs: ['https://x.com/bob'] })],
  ])('are left out: %s', (_, html) => {
    expect(read(html)).toEqual({});
  });

  it('are those that most pages name', () => {
    const own = `<footer>${link('https://x.com/acmehq')}</footer>`;
    const other = `<footer>${link('https://x.com/parentfirm')}</footer>`;
    expect(read(other, own, own)).toEqual({ twitter: 'https://x.com/acmehq' });
  });

  it('prefer the company to a person', () => {
    const html = `<footer>${link('https://linkedin.com/in/jane')}${link('https://linkedin.com/company/acme')}</footer>`;
    expect(read(html)).toEqual({ linkedin: 'https://www.linkedin.com/company/acme' });
  });
});
