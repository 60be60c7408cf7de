import {
  SMTP_MODES,
  startFakeSmtp,
  startLeakCheck,
  until,
  type FakeSmtp,
  type FakeSmtpOptions,
  type LeakCheck,
} from '@app/testing';
import { EXPIRED_CERT, TEST_CA, TEST_CERT, TEST_KEY } from '../../../egress/test/tls-fixture.js';
import { MailError, type Mail } from './mail-sender.js';
import { SmtpMailSender, type SmtpMailOptions } from './smtp-mail-sender.js';

const FROM = { name: 'Trawl', address: 'sign-in@trawl.example' };
const LINK = `https://trawl.example/dashboard/sign-in/link?token=${'a=3D.'.repeat(20)}`;
const MAIL: Mail = {
  to: 'someone@example.com',
  subject: 'Sign in to Trawl',
  text: `Here it is:\n\n${LINK}\n\n.\n.dots\n\nGrüße`,
};
const USER = { name: 'relay', password: 'p:ä/secret' };
const TLS = { key: TEST_KEY, cert: TEST_CERT };

describe('mail by SMTP', () => {
  let leaks: LeakCheck;
  const opened: Opened[] = [];

  beforeEach(() => {
    leaks = startLeakCheck();
  });
  afterEach(async () => {
    for (const { mailer, server } of opened.splice(0)) {
      await mailer.close();
      await server.close();
    }
    await leaks.assertClean();
  });

  interface Opened {
    readonly server: FakeSmtp;
    readonly mailer: SmtpMailSender;
  }
  async function open(
    over: Partial<SmtpMailOptions> = {},
    options: FakeSmtpOptions = {},
  ): Promise<Opened> {
    const server = await startFakeSmtp(options);
    const address = { host: '127.0.0.1', port: server.port };
    const base = { ...address, tls: 'none', user: null, from: FROM } as const;
    const mailer = new SmtpMailSender({
      ...base,
      stepTimeoutMs: 30_000,
      timeoutMs: 30_000,
      ...over,
    });
    opened.push({ server, mailer });
    return { server, mailer };
  }

  async function failureOf(mailer: SmtpMailSender, mail = MAIL): Promise<MailError> {
    const error: unknown = await mailer.sendMail(mail).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(MailError);
    const { message, stack } = error as MailError;
    for (const secret of [USER.password, Buffer.from(USER.password).toString('base64'), mail.to])
      expect(`${message} ${stack}`).not.toContain(secret);
    return error as MailError;
  }

  it('arrives as it was written, as plain text alone', async () => {
    const { server, mailer } = await open();
    await mailer.sendMail(MAIL);
    const [mail, ...others] = server.mails;
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ from: FROM.address, to: [MAIL.to], text: MAIL.text, user: null });
    expect(mail?.headers).toMatchObject({
      from: `Trawl <${FROM.address}>`,
      to: MAIL.to,
      subject: MAIL.subject,
      'auto-submitted': 'auto-generated',
      'content-type': expect.stringMatching(/^text\/plain/),
    });
    expect(mail?.raw).not.toMatch(/x-mailer|html/i);
  });

  it('goes over one pool of few connections', async () => {
    const { server, mailer } = await open();
    await Promise.all(Array.from({ length: 20 }, () => mailer.sendMail(MAIL)));
    expect(server.mails).toHaveLength(20);
    expect(server.connections).toBeLessThanOrEqual(2);
  });

  it('goes on after the server ended idle connections', async () => {
    const { server, mailer } = await open();
    await mailer.sendMail(MAIL);
    server.hangUp();
    await mailer.sendMail(MAIL);
    expect(server.mails).toHaveLength(2);
    expect(server.connections).toBe(2);
  });

  it('signs in where it has a name', async () => {
    const { server, mailer } = await open({ user: USER }, { user: USER });
    await mailer.sendMail(MAIL);
    expect(server.mails[0]?.user).toBe(USER.name);
  });

  it('is refused with a wrong password, which the error does not contain', async () => {
    const wrong = { ...USER, password: `${USER.password}x` };
    const { server, mailer } = await open({ user: wrong }, { user: USER });
    expect(await failureOf(mailer)).toMatchObject({ failure: 'refused' });
    expect(server.mails).toEqual([]);
  });

  it('goes encrypted by STARTTLS, the password too', async () => {
    const over = { tls: 'required', user: USER, ca: TEST_CA } as const;
    const { server, mailer } = await open(over, { tls: TLS, user: USER });
    await mailer.sendMail(MAIL);
    expect(server.mails[0]).toMatchObject({ isEncrypted: true, user: USER.name });
    const verbs = server.commands.map((line) => line.split(' ')[0]);
    expect(verbs.slice(0, 4)).toEqual(['EHLO', 'STARTTLS', 'EHLO', 'AUTH']);
  });

  it.each<[string, Partial<SmtpMailOptions>, FakeSmtpOptions]>([
    ['a server that offers no encryption', {}, {}],
    ['an untrusted certificate', {}, { tls: TLS }],
    ['an expired certificate', { ca: TEST_CA }, { tls: { key: TEST_KEY, cert: EXPIRED_CERT } }],
  ])('sends nothing to %s', async (_, over, options) => {
    const { server, mailer } = await open(
      { tls: 'required', user: USER, ...over },
      { ...options, user: USER },
    );
    expect(await failureOf(mailer)).toMatchObject({
      failure: expect.stringMatching(/failed|refused/),
    });
    expect(server.commands.join('\n')).not.toMatch(/AUTH|MAIL|RCPT|DATA/);
    expect(server.mails).toEqual([]);
  });

  type Mode = (typeof SMTP_MODES)[number];
  const failsAndGoesOn = async (
    mode: Mode,
    failure: MailError['failure'],
    over: Partial<SmtpMailOptions> = {},
  ): Promise<void> => {
    const { server, mailer } = await open(over);
    server.mode = mode;
    expect(await failureOf(mailer)).toMatchObject({ failure });
    server.mode = 'ok';
    await mailer.sendMail(MAIL);
    expect(server.mails).toHaveLength(1);
  };

  it.each<[Mode, MailError['failure']]>([
    ['busy', 'failed'],
    ['unknown', 'refused'],
    ['refused', 'refused'],
    ['full', 'failed'],
    ['lost', 'failed'],
  ])('fails when the server is %s, and works again after it', failsAndGoesOn);

  it('ends in time when a server is silent, hangs or sends a byte at a time, and works again after it', async () => {
    const [stepTimeoutMs, timeoutMs] = [4_000, 4_500];
    await Promise.all([
      failsAndGoesOn('silent', 'failed', { stepTimeoutMs }),
      failsAndGoesOn('hang', 'failed', { stepTimeoutMs }),
      failsAndGoesOn('trickle', 'failed', { timeoutMs }),
    ]);
  });

  it('knows every way a server goes wrong', () => {
    expect(SMTP_MODES).toHaveLength(9);
  });

  it('fails if no server listens', async () => {
    const { server, mailer } = await open();
    await server.close();
    expect(await failureOf(mailer)).toMatchObject({ failure: 'failed' });
  });

  it.each([
    'a@b.example\r\nBcc: victim@example.com',
    'a@b.example\nBcc: victim@example.com',
    'a@b.example, victim@example.com',
    'a@b.example; victim@example.com',
    'a@b.example> NOTIFY=NEVER <victim@example.com',
    'Name <victim@example.com>',
    '"a\r\nRCPT TO:<victim@example.com>"@b.example',
    'a@b.example\u0000',
    'a@[127.0.0.1]',
    'ä@b.example',
    ' a@b.example',
    'list:a@b.example;',
    '',
  ])('is not sent to %j', async (to) => {
    const { server, mailer } = await open();
    const error: unknown = await mailer
      .sendMail({ ...MAIL, to })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'MailError', failure: 'malformed' });
    expect([server.connections, server.mails]).toEqual([0, []]);
  });

  it('has no second header in its subject', async () => {
    const { server, mailer } = await open();
    const subject = 'Hello\r\nBcc: victim@example.com';
    const error: unknown = await mailer
      .sendMail({ ...MAIL, subject })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ failure: 'malformed' });
    expect(server.connections).toBe(0);
  });

  it('keeps headers and ends of mails in its text a text', async () => {
    const { server, mailer } = await open();
    const text = 'x\n.\nMAIL FROM:<a@b.example>\nBcc: victim@example.com\n\n.';
    await mailer.sendMail({ ...MAIL, text });
    expect(server.mails).toHaveLength(1);
    expect(server.mails[0]).toMatchObject({ to: [MAIL.to], text });
    expect(server.mails[0]?.headers['bcc']).toBeUndefined();
  });

  it('breaks off when it is closed', async () => {
    const { server, mailer } = await open();
    server.mode = 'hang';
    const failure = failureOf(mailer);
    await until(() => server.commands.includes('DATA'), { what: 'the mail on its way' });
    await mailer.close();
    expect(await failure).toMatchObject({ failure: 'failed' });
  });
});
