import { meantAddress, urlHint } from './error-hint.js';

describe('the URL that was probably meant', () => {
  it.each([
    ['example.com', 'https://example.com/'],
    [' example.com/a b ', 'https://example.com/a%20b'],
    ['<https//example.com>', 'https://example.com/'],
    ['//example.com/x', 'https://example.com/x'],
    ['www.example.com:8080/x?y=1', 'https://www.example.com:8080/x?y=1'],
    ['htp://example.com', 'http://example.com/'],
    ['htttps://example.com', 'https://example.com/'],
    ['hxxps://example.com', 'https://example.com/'],
    ['http://https://example.com/', 'https://example.com/'],
    ['localhost:3000', 'http://localhost:3000/'],
    ['127.0.0.1:3000/x', 'http://127.0.0.1:3000/x'],
  ])('by %j is %j', (text, meant) => {
    expect(meantAddress(text)).toBe(meant);
    expect(urlHint(text)).toBe(`Did you mean ${meant}?`);
  });

  it.each([
    'example',
    'me@example.com',
    'https://example.com/',
    'http://exa mple.com/',
    'https://',
    'javascript:alert(1)',
    'mailto:me@example.com',
    'ftp://example.com/',
    '/etc/passwd',
    '',
  ])('is not guessed from %j', (text) => {
    expect(meantAddress(text)).toBeNull();
  });
});

describe('the hint for a blocked URL', () => {
  it.each([
    ['http://127.0.0.1:8080/x', 'FETCH_ALLOW_PRIVATE=127.0.0.1/32:8080'],
    ['http://localhost/', 'FETCH_ALLOW_PRIVATE=localhost:80'],
    ['https://10.1.2.3/', 'FETCH_ALLOW_PRIVATE=10.1.2.3/32:443'],
    ['http://[::1]:9000/', 'FETCH_ALLOW_PRIVATE=[::1]/128:9000'],
    ['http://wiki.internal/', 'FETCH_ALLOW_PRIVATE=wiki.internal:80'],
  ])('for %s names the setting that allows it', (url, setting) => {
    expect(urlHint(url)?.endsWith(setting)).toBe(true);
  });

  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://[::ffff:169.254.169.254]/',
    'http://metadata.google.internal/',
    'http://100.100.100.200/',
    'http://0.0.0.0/',
    'http://127.0.0.1:22/',
    // Public by its text: that it resolves to a private address is not revealed.
    'http://example.com/',
    'http://8.8.8.8/',
  ])('for %s names none', (url) => {
    expect(urlHint(url)).toBeNull();
  });

  it('names the other URLs that are not fetched', () => {
    expect(urlHint('ftp://example.com/')).toMatch(/http and https/);
    expect(urlHint('http://user:secret@example.com/')).toMatch(/Remove the user name/);
    expect(urlHint('http://user:secret@example.com/')).not.toMatch(/secret/);
    expect(urlHint(`https://example.com/${'x'.repeat(2_048)}`)).toMatch(/2048 characters/);
  });
});
