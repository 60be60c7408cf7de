import { createHmac } from 'node:crypto';
import { contentDisposition, signDownload, verifyDownload } from './download-token.js';

const secret = Buffer.from('secret');
const download = {
  key: 'jobs/1/results.json',
  fileName: 'Ergebnisse ✓.json',
  contentType: 'application/json',
};
const token = signDownload(download, 2000, secret);
const [payload = '', mac = ''] = token.split('.');

function signedBySecret(text: string): string {
  const encoded = Buffer.from(text).toString('base64url');
  return `${encoded}.${createHmac('sha256', secret).update(encoded).digest('base64url')}`;
}

describe('verifyDownload', () => {
  it('returns the signed values until the token expires', () => {
    expect(verifyDownload(token, secret, 1999)).toEqual(download);
    expect(verifyDownload(token, secret, 2000)).toBeNull();
  });

  it.each([
    ['an empty token', ''],
    ['no signature', payload],
    ['an empty signature', `${payload}.`],
    ['a signature that is cut', `${payload}.${mac.slice(0, -4)}`],
    ['a changed signature', `${payload}.${mac.startsWith('A') ? 'B' : 'A'}${mac.slice(1)}`],
    ['something behind it', `${token}.x`],
    ['something behind it that is no base64', `${token}!~`],
    ['padding', `${token}=`],
    ['another payload', `${Buffer.from('{"key":"jobs/2"}').toString('base64url')}.${mac}`],
    ['a huge token', 'x'.repeat(100_000)],
    [
      'a traversal key, even when signed',
      signedBySecret('{"key":"../x","exp":5000,"fileName":"x","contentType":"x"}'),
    ],
    ['no expiry, even when signed', signedBySecret('{"key":"x","fileName":"x","contentType":"x"}')],
  ])('refuses %s', (_, bad) => {
    expect(verifyDownload(bad, secret, 1000)).toBeNull();
  });

  it('refuses a token signed with another secret', () => {
    expect(verifyDownload(token, Buffer.from('other'), 1000)).toBeNull();
  });
});

describe('contentDisposition', () => {
  it.each([
    ['results.json', `attachment; filename="results.json"; filename*=UTF-8''results.json`],
    ['ä b.json', `attachment; filename="_ b.json"; filename*=UTF-8''%C3%A4%20b.json`],
    [
      'a"b\\c/d\r\nX: y',
      `attachment; filename="a_b_c_d__X: y"; filename*=UTF-8''a%22b%5Cc%2Fd%0D%0AX%3A%20y`,
    ],
    [
      `it's(1)*\ud800`,
      `attachment; filename="it's(1)*_"; filename*=UTF-8''it%27s%281%29%2A%EF%BF%BD`,
    ],
  ])('names the file %j without breaking the header', (fileName, header) => {
    expect(contentDisposition(fileName)).toBe(header);
  });
});
