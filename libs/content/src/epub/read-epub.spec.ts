import { fileMarkdown } from '../files/fixtures/tiny-zip.js';
import { readFile } from '../files/read-file.js';
import { tinyEpub } from './fixtures/tiny-epub.js';

const encryption = (name: string): string =>
  `<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:CipherData><enc:CipherReference URI="${name}"/></enc:CipherData></enc:EncryptedData></encryption>`;

describe('readEpub', () => {
  it('reads chapters in the order of the spine, each once, without the contents', async () => {
    const book = tinyEpub({
      chapters: {
        'two.xhtml': '<h1>Two</h1><p>Low <em>water</em>.</p>',
        'nav.xhtml': '<nav><ol><li>One</li></ol></nav>',
        'one one.xhtml':
          '<h1>One</h1><p>High water. <a href="two.xhtml">Next</a></p><script>x</script>',
      },
      spine: ['nav.xhtml', 'one one.xhtml', 'two.xhtml', 'one one.xhtml'],
      properties: { 'nav.xhtml': 'nav' },
    });
    expect(await readFile(book)).toMatchObject({
      ok: true,
      file: {
        format: 'epub',
        title: 'All about tides',
        markdown: '# One\n\nHigh water. Next\n\n# Two\n\nLow *water*.\n',
        text: 'One\n\nHigh water. Next\n\nTwo\n\nLow water.',
      },
    });
  });

  it('is read although its fonts are obfuscated', async () => {
    const parts = { 'META-INF/encryption.xml': encryption('OEBPS/a.otf') };
    expect(await fileMarkdown(tinyEpub({ chapters: { 'a.xhtml': 'Text.' }, parts }))).toBe(
      'Text.\n',
    );
  });

  it.each<[string, string, string]>([
    ['a title', '<title/><p>Text.</p>', 'Text.\n'],
    ['a script', '<script src="x" /><p>Text.</p>', 'Text.\n'],
    ['other texts of their own', '<style/><iframe/><textarea/><p>Text.</p>', 'Text.\n'],
    ['what would be open', '<i/><span hidden="hidden"/><p>Text.</p>', 'Text.\n'],
    ['line breaks', '<p>One<br/>two<BR />three</p>', 'One\\\ntwo\\\nthree\n'],
    ['no value that looks so', '<p><abbr title="a/>b">Text.</abbr></p>', 'Text.\n'],
  ])('ends elements as XML does: %s', async (_, body, markdown) => {
    expect(await fileMarkdown(tinyEpub({ chapters: { 'a.xhtml': body } }))).toBe(markdown);
  });

  it('gives the footnotes of each chapter labels of their own', async () => {
    const chapter = (text: string): string =>
      `<p>${text}<sup><a href="#n" id="r">1</a></sup></p><ol><li id="n">On ${text}. <a href="#r">1</a></li></ol>`;
    const chapters = { 'a.xhtml': chapter('one'), 'b.xhtml': chapter('two') };
    expect(await fileMarkdown(tinyEpub({ chapters }))).toBe(
      'one[^1]\n\n[^1]: On one.\n\ntwo[^1-2]\n\n[^1-2]: On two.\n',
    );
  });

  it('reads chapters whatever their names end with', async () => {
    const chapters = { 'a.xht': 'One.', b: 'Two.', 'c.d': 'Three.' };
    expect(await fileMarkdown(tinyEpub({ chapters }))).toBe('One.\n\nTwo.\n\nThree.\n');
  });

  it('finds chapters by names in another case, and says which is missing', async () => {
    const manifest = (name: string): string =>
      `<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="${name}" media-type="application/xhtml+xml"/><item id="b" href="b.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>`;
    const book = (name: string): Uint8Array =>
      tinyEpub({
        chapters: { 'One.XHTML': 'One.', 'b.xhtml': 'Two.' },
        parts: { 'OEBPS/book.opf': manifest(name) },
      });
    const found = await readFile(book('one.xhtml'));
    expect(found).toMatchObject({ ok: true, file: { markdown: 'One.\n\nTwo.\n' } });
    expect(found.ok && found.file.truncatedBy).toBeUndefined();
    expect(await readFile(book('gone.xhtml'))).toMatchObject({
      ok: true,
      file: { markdown: 'Two.\n', truncatedBy: 'unreadable_parts' },
    });
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'has encrypted chapters',
      { 'META-INF/encryption.xml': encryption('OEBPS/a.xhtml') },
      'encrypted',
    ],
    ['has no package', { 'OEBPS/book.opf': '' }, 'malformed'],
    ['has no container', { 'META-INF/container.xml': '<container/>' }, 'malformed'],
    ['has no text', { 'OEBPS/a.xhtml': '<html/>' }, 'no_text'],
    ['inflates a thousandfold', { 'OEBPS/a.xhtml': 'a'.repeat(5_000_000) }, 'too_large'],
  ])('is refused when it %s', async (_, parts, problem) => {
    const result = await readFile(tinyEpub({ chapters: { 'a.xhtml': 'Text.' }, parts }));
    expect(result).toMatchObject({ ok: false, problem });
  });

  it('ends after the chapter in which the limit of text is met', async () => {
    const chapters = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`c${n}.xhtml`, `<p>${'word '.repeat(20)}</p>`]),
    );
    const result = await readFile(tinyEpub({ chapters }), { maxChars: 500 });
    expect(result).toMatchObject({ ok: true, file: { truncatedBy: 'max_chars' } });
    expect(result.ok && result.file.markdown.length).toBeLessThanOrEqual(501);
  });
});
