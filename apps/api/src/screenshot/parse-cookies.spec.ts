import { ApiError } from '@app/contracts';
import { parseCookies } from './screenshot.service.js';

const one = { name: 'a', value: 'b', domain: 'example.com' };

describe('cookies of a screenshot', () => {
  it.each([
    [undefined, []],
    [null, []],
    ['', []],
    ['[]', []],
    [JSON.stringify([one]), [{ ...one, path: '/' }]],
    [JSON.stringify([{ ...one, path: '/x', secure: true }]), [{ ...one, path: '/x' }]],
    [
      JSON.stringify([{ ...one, domain: '.example.com', value: '' }]),
      [{ ...one, domain: '.example.com', value: '', path: '/' }],
    ],
  ])('reads %s', (text, cookies) => {
    expect(parseCookies(text)).toEqual(cookies);
  });

  it.each([
    ['a cookie file', '# Netscape HTTP Cookie File', /JSON array text/],
    ['an object', JSON.stringify(one), /JSON array text/],
    ['101 cookies', JSON.stringify(Array.from({ length: 101 }, () => one)), /at most 100/],
    ['no name', JSON.stringify([{ ...one, name: '' }]), /\[0\] needs a name/],
    ['no value', JSON.stringify([one, { name: 'a', domain: 'b.example' }]), /\[1\] needs a value/],
    ['no domain', JSON.stringify([{ name: 'a', value: 'b' }]), /\[0\] needs a domain/],
    ['a null', '[null]', /\[0\] needs a name/],
    ['a line break', JSON.stringify([{ ...one, value: 'a\r\nb' }]), /needs a value/],
    [
      'a value that no browser accepts',
      JSON.stringify([{ ...one, value: 'v'.repeat(4_096) }]),
      /longer than 4096/,
    ],
    ['an invalid path', JSON.stringify([{ ...one, path: 'x' }]), /path/],
  ])('refuses %s', (_name, text, message) => {
    expect(() => parseCookies(text)).toThrow(ApiError);
    expect(() => parseCookies(text)).toThrow(message);
  });
});
