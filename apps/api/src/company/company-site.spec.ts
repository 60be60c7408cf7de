import { ApiError } from '@app/contracts';
import { homepagesOf, type NamedSite } from './company-site.js';

const targets = {
  parse(text: string): URL {
    const url = URL.parse(text);
    if (!url) throw new ApiError('invalid_url');
    if (url.hostname === 'localhost') throw new ApiError('blocked_url', { url: text });
    return url;
  },
};

describe('the site of a company', () => {
  it.each<[string, NamedSite, readonly string[]]>([
    [
      'a domain: https, then http',
      { domain: 'a.example' },
      ['https://a.example/', 'http://a.example/'],
    ],
    ['its alias', { url: 'a.example' }, ['https://a.example/', 'http://a.example/']],
    [
      'both names with the same value',
      { url: 'a.example', domain: ' a.example' },
      ['https://a.example/', 'http://a.example/'],
    ],
    ['a URL: unchanged', { domain: 'http://a.example' }, ['http://a.example/']],
    [
      'any page of a site',
      { domain: 'https://www.a.example:8443/x?y#z' },
      ['https://www.a.example:8443/'],
    ],
    [
      'a domain with a path',
      { domain: 'a.example/about' },
      ['https://a.example/', 'http://a.example/'],
    ],
    [
      'a domain with a port',
      { domain: 'a.example:8080' },
      ['https://a.example:8080/', 'http://a.example:8080/'],
    ],
    ['credentials are removed', { domain: 'https://u:p@a.example/' }, ['https://a.example/']],
    [
      'another script',
      { domain: 'münchen.example' },
      ['https://xn--mnchen-3ya.example/', 'http://xn--mnchen-3ya.example/'],
    ],
  ])('is %s', (_what, named, homepages) => {
    expect(homepagesOf(named, targets)).toEqual(homepages);
  });

  it.each<[string, NamedSite, string]>([
    ['nothing', {}, 'domain_required'],
    ['an empty text', { domain: ' ' }, 'domain_required'],
    ['two sites', { domain: 'a.example', url: 'b.example' }, 'invalid_request'],
    ['an e-mail address', { domain: 'info@a.example' }, 'invalid_url'],
    ['a name without a dot', { domain: 'acme' }, 'invalid_url'],
    ['no host', { domain: 'https://' }, 'invalid_url'],
    ['this machine', { domain: 'localhost' }, 'blocked_url'],
  ])('is refused as %s', (_what, named, code) => {
    expect(() => homepagesOf(named, targets)).toThrow(expect.objectContaining({ code }));
  });
});
