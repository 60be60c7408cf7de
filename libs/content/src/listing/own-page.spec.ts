import { readablePage } from '../readable-page.js';
import { identifyPage } from './identify-page.js';
import { isHomeOrContactPage } from './own-page.js';

const isOwn = (path: string, html = ''): boolean => {
  const url = new URL(path, 'https://acme.com/').href;
  return isHomeOrContactPage(identifyPage(readablePage(html, url)));
};

describe('isHomeOrContactPage', () => {
  it.each([
    '/',
    '/?utm_source=x&gclid=y',
    '/index.html',
    '/en/',
    '/de-AT',
    '/home',
    '/fr/index.php',
    '/contact',
    '/pages/contact-us/',
    '/about-us.html',
    '/our-locations',
    '/hours-and-location',
    '/kontakt',
  ])('knows %s', (path) => {
    expect(isOwn(path)).toBe(true);
  });

  it.each([
    '/?p=123',
    '/pricing',
    '/how-to-store-wine',
    '/visit-report',
    '/about-implants',
    '/x/y',
  ])('does not take %s for one', (path) => {
    expect(isOwn(path)).toBe(false);
  });

  it('reads the canonical address too', () => {
    expect(isOwn('/x?id=7', '<link rel=canonical href="/">')).toBe(true);
  });
});
