import type { ScanInput } from '@app/tech';
import type { FetchedPage } from '@app/fetch';
import { surroundingsOf, writeScanInput } from './scan-input.js';

const page = (over: Partial<FetchedPage>): FetchedPage => ({
  url: 'http://a.example/',
  statusCode: 200,
  contentType: 'text/html',
  headers: {},
  body: new Uint8Array(),
  bytes: 0,
  isCut: false,
  redirects: [],
  timings: {},
  isRendered: false,
  ...over,
});

const input = (html: string): ScanInput => ({
  url: 'http://a.example/',
  headers: { server: ['nginx'] },
  cookies: {},
  html,
});

const unpacked = (html: string): ScanInput =>
  JSON.parse(Buffer.from(writeScanInput(input(html))).toString()) as ScanInput;

describe('the surroundings of a page', () => {
  it('are its headers and the cookies it set, not the header that set them', () => {
    const headers = { server: 'nginx', 'set-cookie': 'a=1; Path=/, b=2' };
    const setCookies = ['a=1; Path=/; HttpOnly', 'b=x=y', 'c=', '=nameless', 'nothing', ' d = 4 '];
    expect(surroundingsOf(page({ headers, setCookies }))).toEqual({
      headers: { server: ['nginx'] },
      cookies: { a: '1', b: 'x=y', c: '', d: '4' },
    });
  });

  it('include the observations of a browser', () => {
    const watched = {
      globals: { 'jQuery.fn.jquery': '3.7.1' },
      requests: ['http://a.example/a.js'],
      isCapped: false,
      isUnresponsive: false,
      cookies: { script: '1', a: '2' },
    };
    expect(surroundingsOf(page({ watched, setCookies: ['a=1'] }))).toEqual({
      headers: {},
      cookies: { a: '2', script: '1' },
      globals: watched.globals,
      requests: watched.requests,
    });
  });
});

describe('a page for a scan', () => {
  it('equals the input that was stored', () => {
    expect(unpacked('<p>ü</p>')).toEqual(input('<p>ü</p>'));
  });

  it('has no middle when it is longer than any scanner reads, and stays longer than every cap', () => {
    const MIB = 1024 * 1024;
    expect(unpacked('x'.repeat(5 * MIB)).html.length).toBe(5 * MIB);
    const { html } = unpacked(`<head>${'x'.repeat(20 * MIB)}</html>`);
    expect(html.length).toBe(5 * MIB);
    expect([html.startsWith('<head>'), html.endsWith('</html>')]).toEqual([true, true]);
  });
});
