import { parseMailFrom, parseSmtpUrl } from './mail-settings.js';

describe('SMTP_URL', () => {
  it.each([
    ['smtp://mail.example', { host: 'mail.example', port: 587, tls: 'required', user: null }],
    ['smtps://mail.example/', { host: 'mail.example', port: 465, tls: 'implicit', user: null }],
    [
      'smtp://me%40x:p%3A%2F%40ss@mail.example:2525',
      {
        host: 'mail.example',
        port: 2525,
        tls: 'required',
        user: { name: 'me@x', password: 'p:/@ss' },
      },
    ],
    ['smtp://10.0.0.5', { host: '10.0.0.5', port: 587, tls: 'required', user: null }],
    ['smtp://[2001:db8::5]:25', { host: '2001:db8::5', port: 25, tls: 'required', user: null }],
    ['smtp://127.0.0.1:1025', { host: '127.0.0.1', port: 1025, tls: 'none', user: null }],
    ['smtp://[::1]:25', { host: '::1', port: 25, tls: 'none', user: null }],
    ['smtp://LocalHost:25', { host: '127.0.0.1', port: 25, tls: 'none', user: null }],
    [
      'smtp://127.0.0.1.evil.example',
      { host: '127.0.0.1.evil.example', port: 587, tls: 'required', user: null },
    ],
    ['smtps://127.0.0.1', { host: '127.0.0.1', port: 465, tls: 'implicit', user: null }],
  ])('%s is read', (text, server) => {
    expect(parseSmtpUrl(text)).toEqual(server);
  });

  it.each([
    'mail.example',
    'http://mail.example',
    'smtp:mail.example',
    'smtp://',
    'smtp://mail.example:0',
    'smtp://mail.example:70000',
    'smtp://mail.example/inbox',
    'smtp://mail.example?tls=no',
    'smtp://mail.example#x',
    'smtp://user@mail.example',
    'smtp://:secret@mail.example',
    'smtp://user:%zz@mail.example',
    'smtp://user:a%0d%0ab@mail.example',
    'smtp://-mail.example',
    'smtp://mail%0aexample',
  ])('%s is refused with the rule, which does not repeat it', (text) => {
    expect(() => parseSmtpUrl(text)).toThrow(/^must be smtp:\/\/\[user:password@\]host\[:port\]/);
  });
});

describe('MAIL_FROM', () => {
  it.each([
    ['sign-in@example.com', { name: '', address: 'sign-in@example.com' }],
    ['<sign-in@example.com>', { name: '', address: 'sign-in@example.com' }],
    ['Trawl <sign-in@example.com>', { name: 'Trawl', address: 'sign-in@example.com' }],
    ['Müller & Söhne <a@b.example>', { name: 'Müller & Söhne', address: 'a@b.example' }],
    ['trawl@localhost', { name: '', address: 'trawl@localhost' }],
  ])('%s is read', (text, from) => {
    expect(parseMailFrom(text)).toEqual(from);
  });

  it.each([
    'noreply',
    '@example.com',
    'a@b.example, c@d.example',
    'a b@c.example',
    'Trawl <a@b.example> x',
    'Trawl <a@b.example><c@d.example>',
    'Tr"awl <a@b.example>',
    'a@b.example\r\nBcc: c@d.example',
    'Trawl\r\nBcc: c@d.example <a@b.example>',
    'a@b.example\u0000',
  ])('%j is refused', (text) => {
    expect(() => parseMailFrom(text)).toThrow('must be an e-mail address');
  });
});
