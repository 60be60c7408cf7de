import { readMail } from './mail-text.js';

const mail = (headers: readonly string[], body: string): string =>
  [...headers, '', body, ''].join('\r\n');
const PLAIN = 'Content-Type: text/plain; charset=utf-8';

describe('a mail as a person sees it', () => {
  it.each([
    ['7bit', 'two\r\nlines', 'two\nlines'],
    [
      'quoted-printable',
      'a=3Db gr=C3=BC=C3=9Fe and a so=\r\nft break',
      'a=b grüße and a soft break',
    ],
    ['base64', Buffer.from('grüße').toString('base64'), 'grüße'],
  ])('is read as %s', (encoding, body, text) => {
    const raw = mail([PLAIN, `Content-Transfer-Encoding: ${encoding}`], body);
    expect(readMail(raw).text).toBe(text);
  });

  it('has headers that were folded in one line, and shows those that came twice', () => {
    const raw = mail([PLAIN, 'Subject: a\r\n long one', 'Bcc: a', 'BCC: b'], 'x');
    expect(readMail(raw).headers).toMatchObject({ subject: 'a long one', bcc: 'a\nb' });
  });

  it.each([
    ['of another type', mail(['Content-Type: text/html'], '<p>')],
    ['with a line that is no header', mail([PLAIN, 'no header'], 'x')],
    ['without a body', PLAIN],
    ['in an unknown encoding', mail([PLAIN, 'Content-Transfer-Encoding: x'], 'x')],
  ])('%s is none', (_, raw) => {
    expect(() => readMail(raw)).toThrow();
  });
});
