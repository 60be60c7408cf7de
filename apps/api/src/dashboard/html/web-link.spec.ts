import { webLink } from './web-link.js';

describe('a link to the web', () => {
  it.each(['http://a.example/', 'https://a.example/?q=1&b=%22'])('leads to %s', (address) => {
    const link = webLink(address, 'x').toString();
    expect(link).toContain(`href="${address.replace('&', '&amp;')}"`);
    expect(link).toContain('rel="noopener noreferrer nofollow"');
  });

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:http://a.example/1',
    '//a.example/',
    '/dashboard/sign-out',
    'x',
    '',
  ])('is plain text for %j', (address) => {
    expect(webLink(address, 'x').toString()).toBe('x');
  });

  it('escapes its label', () => {
    expect(webLink('x', '<b>').toString()).toBe('&lt;b&gt;');
    expect(webLink('http://a.example/"><b>').toString()).not.toContain('<b>');
  });
});
