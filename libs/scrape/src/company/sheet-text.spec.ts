import { encodeText } from '../../../testing/src/site/charset-samples.js';
import type { HttpResponse } from '@app/egress';
import { sheetText } from './sheet-fetcher.js';

const UMLAUT = 'a{content:"ü"}';
const GREEK = 'a{content:"Επικοινωνία"}';
const bytes = (text: string, encoding: BufferEncoding): Uint8Array => Buffer.from(text, encoding);

function answer(type: string | undefined, status = 200): HttpResponse {
  const headers = type === undefined ? {} : { 'content-type': type };
  return { url: 'https://a.example/x.css', status, headers } as unknown as HttpResponse;
}

describe('sheetText', () => {
  it.each<[string, string | undefined, Uint8Array]>([
    ['UTF-8 where nothing is said', 'text/css', bytes(UMLAUT, 'utf8')],
    ['UTF-8 without a type', undefined, bytes(UMLAUT, 'utf8')],
    ['the charset of the type', 'text/css; charset=iso-8859-1', bytes(UMLAUT, 'latin1')],
    ['@charset', 'text/css', bytes(`@charset "windows-1252";${UMLAUT}`, 'latin1')],
    [
      'a byte order mark before all else',
      'text/css; charset=latin1',
      bytes(`\ufeff${UMLAUT}`, 'utf8'),
    ],
    ['what is detected', 'text/css', encodeText(GREEK, 'windows-1253')],
    ['UTF-16 by its mark', 'text/css', bytes(`\ufeff${UMLAUT}`, 'utf16le')],
  ])('reads %s', (_, type, body) => {
    expect(sheetText(answer(type), body)?.css).toMatch(/a\{content:"(?:ü|Επικοινωνία)"\}/);
  });

  it.each<[string, HttpResponse]>([
    ['a page', answer('text/html; charset=utf-8')],
    ['a picture', answer('image/png')],
    ['a script', answer('application/javascript')],
    ['what is missing', answer('text/css', 404)],
    ['what did not change', answer('text/css', 304)],
  ])('takes %s for no sheet', (_, response) => {
    expect(sheetText(response, bytes('a{color:red}', 'utf8'))).toBeNull();
  });
});
