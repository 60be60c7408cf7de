import fc from 'fast-check';
import path from 'node:path';
import { PageFileNames } from './page-folder.js';

const nameOf = (url: string): string => new PageFileNames().assign(url, '.md');

describe('the name of a page file', () => {
  it.each([
    ['https://example.com/', 'example.com.md'],
    ['https://example.com/docs/install', 'docs_install.md'],
    ['https://example.com/docs/install/', 'docs_install.md'],
    ['https://example.com/docs/a.html', 'docs_a.md'],
    ['https://example.com/%C3%BCber/stra%C3%9Fe', 'über_straße.md'],
    ['https://example.com/list?page=2&sort=a', 'list_page-2-sort-a.md'],
    ['https://example.com/..%2f..%2fetc%2fpasswd', '_.._etc_passwd.md'],
    ['https://example.com/.ssh/config', 'ssh_config.md'],
    ['https://example.com/a%00b%0d%0a', 'a-b.md'],
    ['https://example.com/con', '_con.md'],
    ['https://example.com/LPT1.txt', '_LPT1.txt.md'],
    ['https://example.com/%ff', 'ff.md'],
    ['https://example.com/???', 'example.com_.md'],
    ['https://example.com/-', 'page.md'],
    ['no url', 'no-url.md'],
  ])('of %s is %s', (url, name) => {
    expect(nameOf(url)).toBe(name);
  });

  it('is one path segment of at most 150 bytes, whatever the URL', () => {
    const urls = fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string({ maxLength: 400 }));
    fc.assert(
      fc.property(urls, (url) => {
        const name = nameOf(url);
        expect(path.basename(name)).toBe(name);
        expect(name).toMatch(/^[\p{L}\p{N}\p{M}_][\p{L}\p{N}\p{M}._-]*\.md$/u);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(150);
      }),
    );
  });

  it('is cut between characters, and differs for URLs with the same start', () => {
    const long = `https://example.com/${'ü'.repeat(300)}`;
    const [one, other] = [nameOf(long), nameOf(`${long}x`)];
    expect(one).toMatch(/^ü{60}-[0-9a-f]{10}\.md$/);
    expect(other).toMatch(/^ü{60}-[0-9a-f]{10}\.md$/);
    expect(one).not.toBe(other);
  });

  it('is never shared by two URLs, also where case and Unicode form do not count', () => {
    const names = new PageFileNames(['index.md']);
    const urls = ['a', 'A', 'a/', 'a.html', 'a?', 'cafe%CC%81', 'caf%C3%A9', 'index'];
    const given = urls.map((url) => names.assign(`https://example.com/${url}`, '.md'));
    const folded = given.map((name) => name.normalize('NFC').toLowerCase());
    expect(new Set(folded).size).toBe(urls.length);
    expect(folded).not.toContain('index.md');
  });

  it('stays that of its URL', () => {
    const names = new PageFileNames();
    names.keep('https://example.com/a', 'a.md');
    expect(names.assign('https://example.com/a', '.md')).toBe('a.md');
    expect(names.assign('https://example.com/A', '.md')).toMatch(/^A-[0-9a-f]{10}\.md$/);
  });
});
