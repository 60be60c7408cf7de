import { extractPage } from '../extract-page.js';

/** Cloudflare's encoding of a text. */
const hidden = (text: string, key = 0x7f): string =>
  Buffer.from([key, ...Buffer.from(text).map((byte) => byte ^ key)]).toString('hex');

const PLACEHOLDER = '[email&#160;protected]';
const textOf = (address: string, tag = 'a'): string =>
  `<${tag} href="/cdn-cgi/l/email-protection" class="__cf_email__" data-cfemail="${hidden(address)}">${PLACEHOLDER}</${tag}>`;
const linkTo = (address: string, label: string, site = ''): string =>
  `<a href="${site}/cdn-cgi/l/email-protection#${hidden(address)}">${label}</a>`;
const span = (address: string): string =>
  `<span class="__cf_email__" data-cfemail="${hidden(address)}">${PLACEHOLDER}</span>`;

const outputsOf = (html: string) =>
  extractPage(
    { body: Buffer.from(html), contentType: 'text/html', url: 'https://acme.example/contact' },
    { markdown: true, html: true, links: true, rawHtml: true, allLinks: true },
  );

describe('an e-mail address that Cloudflare hides', () => {
  it.each([
    ['in text', `<p>Write to ${textOf('info@acme.example')}.`, 'Write to info@acme.example.\n'],
    ['that is none', `<p>THE IDOL${textOf('M@STER')}`, 'THE IDOLM@STER\n'],
    ['in another element', `<p>${span('jane@acme.example')}`, 'jane@acme.example\n'],
    ['in capitals', '<p>' + span('jane@acme.example').toUpperCase(), 'jane@acme.example\n'],
    ['not in ASCII', `<p>${span('jörg@bücher.example')}`, 'jörg@bücher.example\n'],
    [
      'in a link',
      `<p>${linkTo('info@acme.example', 'Mail')}`,
      '[Mail](mailto:info@acme.example)\n',
    ],
    [
      'in a link of a full address',
      `<p>${linkTo('info@acme.example', 'Mail', 'https://acme.example')}`,
      '[Mail](mailto:info@acme.example)\n',
    ],
    [
      'in a link with a subject',
      `<p>${linkTo('info@acme.example?subject=Hi', 'Mail')}`,
      '[Mail](mailto:info@acme.example?subject=Hi)\n',
    ],
    [
      'in a link and its text',
      `<p>${linkTo('info@acme.example', span('info@acme.example'))}`,
      '[info@acme.example](mailto:info@acme.example)\n',
    ],
    [
      'in a link whose text lost its attribute',
      `<p>${linkTo('info@acme.example?subject=Hi', PLACEHOLDER)}`,
      '[info@acme.example](mailto:info@acme.example?subject=Hi)\n',
    ],
    ['that would be markup', `<p>${span('<b>a@b.example</b>')}`, '\\<b>a@b.example\\</b>\n'],
  ])('is revealed: %s', (_, html, markdown) => {
    expect(outputsOf(html).markdown).toBe(markdown);
  });

  it('is text and a mailto: link in every output but the source, and no link to a page', () => {
    const html = `<p>${textOf('<i>@acme.example')} ${linkTo('info@acme.example', 'Mail')} <a href=/a>A</a>`;
    const page = outputsOf(html);
    expect(page.html).toContain('&lt;i&gt;@acme.example');
    expect(page.html).toContain('href="mailto:info@acme.example"');
    expect([page.links, page.allLinks]).toEqual(Array(2).fill(['https://acme.example/a']));
    expect(page.facts.text).toBe('<i>@acme.example Mail A');
    expect(page.rawHtml).toBe(html);
  });

  it.each([
    ['half a pair', '7f1'],
    ['another letter', '7f1e1gxx'],
    ['no address', hidden('no address here')],
    ['too short', hidden('a@')],
    ['too long', hidden(`a@${'b'.repeat(1_000)}`)],
    ['a line break', hidden('a@b.example\n<script>')],
    ['no UTF-8', hidden('a@b.example') + '80'],
    ['nothing', ''],
  ])('stays as it is where its code is broken: %s', (_, code) => {
    const html = `<p><a href="/cdn-cgi/l/email-protection#${code}" data-cfemail="${code}">${PLACEHOLDER}</a>`;
    const target = `https://acme.example/cdn-cgi/l/email-protection#${code}`;
    expect(outputsOf(html).markdown).toBe(`[[email protected]](${target})\n`);
  });
});
