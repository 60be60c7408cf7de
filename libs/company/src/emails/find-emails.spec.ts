import { jsonLd, readableFixture } from '../fixtures/readable-page.js';
import { readCompanyPage } from '../read-company-page.js';

const emailsOf = (html: string, url?: string): readonly string[] =>
  readCompanyPage(readableFixture(html, url)).emails;

/** Cloudflare's encoding of a text. */
const hidden = (text: string, key = 0x7f): string =>
  Buffer.from([key, ...Buffer.from(text).map((byte) => byte ^ key)]).toString('hex');

/** TYPO3's: letters turned in three ranges. */
const turned = (text: string, by: number): string =>
  text.replace(/[+-:@-Za-z]/g, (letter) => {
    const [low, high] = letter >= 'a' ? [97, 122] : letter >= '@' ? [64, 90] : [43, 58];
    const size = high - low + 1;
    return String.fromCharCode(low + ((letter.charCodeAt(0) - low + by + size) % size));
  });

describe('addresses in links', () => {
  it.each([
    ['a plain one', 'mailto:jane@acme.com', ['jane@acme.com']],
    [
      'with a subject and a text',
      'mailto:jane@acme.com?subject=a@b.com&body=c@d.com',
      ['jane@acme.com'],
    ],
    ['percent-encoded', 'mailto:%6aane%40acme.com', ['jane@acme.com']],
    [
      'several',
      'mailto:jane@acme.com,joe@acme.com; sue@acme.com',
      ['jane@acme.com', 'joe@acme.com', 'sue@acme.com'],
    ],
    ['in the to field', 'mailto:?to=jane@acme.com&subject=x', ['jane@acme.com']],
    ['with a name', 'mailto:Jane%20Doe%20%3Cjane@acme.com%3E', ['jane@acme.com']],
    ['with slashes', 'mailto://jane@acme.com', ['jane@acme.com']],
    ['spelled', 'mailto:jane[at]acme.com', ['jane@acme.com']],
    ['with capitals', 'MAILTO:Jane@ACME.com', ['Jane@acme.com']],
    ['a stray percent sign', 'mailto:jane@acme.com?subject=100%', ['jane@acme.com']],
    ['without a recipient', 'mailto:?subject=Look&body=https://acme.com/x@y.com', []],
  ])('are read: %s', (_, href, found) => {
    expect(emailsOf(`<a href="${href}">write</a>`)).toEqual(found);
  });

  it.each([
    ['Cloudflare’s link', `<a href="/cdn-cgi/l/email-protection#${hidden('jane@acme.com')}">x</a>`],
    [
      'Cloudflare’s text',
      `<span class="__cf_email__" data-cfemail="${hidden('jane@acme.com')}">[email&#160;protected]</span>`,
    ],
    [
      'TYPO3’s',
      `<a href="javascript:linkTo_UnCryptMailto('${turned('mailto:jane@acme.com', 3)}');">x</a>`,
    ],
    [
      'TYPO3’s, encoded',
      `<a href="javascript:linkTo_UnCryptMailto(%27${turned('mailto:jane@acme.com', -5)}%27);">x</a>`,
    ],
    [
      'TYPO3’s token',
      `<a href="#" data-mailto-token="${turned('mailto:jane@acme.com', 7)}" data-mailto-vector="7">x</a>`,
    ],
    ['parts in attributes', '<i data-user="jane" data-domain="acme.com"></i>'],
    ['three parts', '<i data-name="jane" data-domain="acme" data-tld="com"></i>'],
    ['base64', `<i data-email="${Buffer.from('jane@acme.com').toString('base64')}"></i>`],
    ['backwards in an attribute', '<i data-mail="moc.emca@enaj"></i>'],
    [
      'backwards in text',
      '<b style="unicode-bidi: bidi-override; direction: rtl">moc.emca@enaj</b>',
    ],
    ['backwards by element', '<bdo dir="rtl">moc.emca@enaj</bdo>'],
    ['parts in a script', `<script>document.write('jane' + '@' + 'acme.com')</script>`],
    [
      'Joomla’s cloak',
      `<script>var addy1 = 'j&#97;ne' + '&#64;';\naddy1 = addy1 + 'acme' + '&#46;' + 'com';</script>`,
    ],
    ['entities', '<p>jane&#64;acme&#46;com and jane&commat;acme&period;com</p>'],
    ['a hidden piece', '<p>jane<i style="display:none">.nospam</i>@acme.com</p>'],
    [
      'an Open Graph element',
      '<meta property="business:contact_data:email" content="jane@acme.com">',
    ],
  ])('are read in the form for scripts: %s', (_, html) => {
    expect(emailsOf(html)).toEqual(['jane@acme.com']);
  });
});

describe('addresses in text', () => {
  it.each([
    'jane [at] acme [dot] com',
    'jane (at) acme (dot) com',
    'jane(at)acme.com',
    'jane {at} acme {dot} com',
    'jane &lt;at&gt; acme.com',
    'jane AT acme DOT com',
    'jane at acme dot com',
    'jane [ät] acme [punkt] com',
    'jane (arroba) acme (punto) com',
    'jane arroba acme punto com',
    'jane [arobase] acme [point] com',
    'jane chiocciola acme punto com',
    'jane (małpa) acme.com',
    'jane (snabel-a) acme.com',
    'jane(a)acme.com',
    'jane_at_acme_dot_com',
    'jane [@] acme [.] com',
    'jane @ acme.com',
    '“jane@acme.com”',
    'mail:jane@acme.com.',
    'jane@acme.com.Call us',
    'jane@acme.comPhone',
    '联系jane@acme.com电话',
  ])('are read: %s', (text) => {
    expect(emailsOf(`<p>${text}</p>`)).toEqual(['jane@acme.com']);
  });

  it('keep the case before the sign and lose it after, each once', () => {
    expect(emailsOf('<p>Jane.Doe@ACME.com, jane.doe@acme.com</p>')).toEqual(['Jane.Doe@acme.com']);
  });

  it('are read of JSON-LD, but not those of reviewers', () => {
    const thing = {
      '@type': 'Store',
      email: 'mailto:jane@acme.com',
      contactPoint: [{ email: 'desk@acme.com' }],
      review: { author: { email: 'bob@mail.org' } },
    };
    expect(emailsOf(jsonLd(thing))).toEqual(['jane@acme.com', 'desk@acme.com']);
  });

  it.each([
    'Visit us at acme dot com',
    'Meet us at acme.com today',
    'is rejected at this point if it stops at any point as before',
    'lunch @ cafe.com',
    'follow @acme on x.com',
    'items (a) foo.bar',
    'logo@2x.png hero@1.5x.webp',
    'jquery@3.6.0 and react@latest.js',
    'a@b@c.com',
    '@acme.com',
    'jane@acme',
    'jane@-.com',
    'jane@acme..com',
    'noreply@acme.com no-reply@acme.com NoReply@acme.com no_reply@acme.com donotreply@acme.com',
    '605a7baede844d278b89dc95ae0a9123@o1.ingest.sentry.io',
    'abuse@wixpress.com shop@acme.myshopify.com hi@acme.wordpress.com',
    'you@example.com name@domain.com someone@example.org your@email.com user@company.com',
    'vorname.nachname@firma.de prenom.nom@exemple.fr nombre@dominio.com',
    'root@db.internal admin@router.local',
    'you@acme.com firstname.lastname@acme.com',
  ])('are none: %s', (text) => {
    expect(emailsOf(`<p>${text}</p>`)).toEqual([]);
  });

  it.each([
    ['gmail.com is a mailbox of the company', 'acme@gmail.com'],
    ['a desk named for mail', 'email@acme.com'],
    ['a name that begins like a reply', 'noreen@acme.com'],
    ['a mailbox with noreply further on', 'team.noreply@acme.com'],
  ])('are kept: %s', (_, address) => {
    expect(emailsOf(`<p>${address}</p>`)).toEqual([address]);
  });

  it('of a platform count on its own site', () => {
    expect(emailsOf('<p>help@shopify.com</p>', 'https://www.shopify.com/')).toEqual([
      'help@shopify.com',
    ]);
  });

  it('of the site’s makers and of authorities that supervise its owner are left out', () => {
    const html =
      '<p>jane@acme.com</p><footer>Website by <a href="mailto:hi@pixel.com">hi@pixel.com</a></footer>' +
      '<p>Aufsichtsbehörde: Kammer München, kammer@stadt.de</p><p>Designed by ours: web@acme.com</p>';
    expect(emailsOf(html)).toEqual(['jane@acme.com', 'web@acme.com']);
  });

  it('of customers are left out, and those of a dialog kept', () => {
    const html =
      '<div class="testimonial">bob@mail.org</div><div class="comment-list"><p>eve@mail.org</p></div>' +
      '<div class="modal">jane@acme.com</div>';
    expect(emailsOf(html)).toEqual(['jane@acme.com']);
  });
});
