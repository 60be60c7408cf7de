import { repairMisreadUtf8 } from './misread-utf8.js';

/** As a browser reads bytes that it takes for windows-1252, and as its source is serialised. */
const misread = (text: string): string =>
  new TextDecoder('windows-1252').decode(Buffer.from(text)).replaceAll('\u00a0', '&nbsp;');

const TEXTS = [
  ['French', 'À la carte : 3,50 € — déjà vu, « ça va »'],
  ['Russian', 'Городская библиотека открыта каждый день'],
  ['Japanese', '図書館のご案内です。'],
  ['a loading text', 'Loading…'],
  ['pictures', 'ready 😀'],
  ['a space that does not break', '5\u00a0000\u00a0m'],
] as const;

describe('UTF-8 that a browser read as windows-1252', () => {
  it.each(TEXTS)('is read as it was meant: %s', (_, text) => {
    expect(repairMisreadUtf8(`<p>${misread(text)}</p>`, 'text/html')).toBe(`<p>${text}</p>`);
    expect(repairMisreadUtf8(misread(text), undefined)).toBe(text);
  });

  it('stays beside what a script brought as it was meant', () => {
    const page = `${misread('Prix : 3 €, déjà payé à Noël')} «`;
    expect(repairMisreadUtf8(page, 'text/html')).toBe('Prix : 3 €, déjà payé à Noël «');
  });

  it.each([
    ['by the server', 'Ã©tÃ©', 'text/html; charset=iso-8859-1'],
    [
      'by the page',
      '<meta http-equiv="Content-Type" content="text/html; CharSet=latin1">Ã©tÃ©',
      '',
    ],
  ])('is what the page declares: %s', (_, html, contentType) => {
    expect(repairMisreadUtf8(html, contentType)).toBe(html);
  });

  it.each([
    ['another encoding', 'été à Noël, ça: naïve Â°'],
    ['no sequence', 'Ã b, à\u00a0 c, Á\u0081'],
    ['an overlong one, a surrogate', 'à\u0080\u0080 í\u00a0\u0080'],
    ['ASCII', 'plain'],
  ])('is none of %s', (_, html) => {
    expect(repairMisreadUtf8(html, 'text/html')).toBe(html);
  });
});
