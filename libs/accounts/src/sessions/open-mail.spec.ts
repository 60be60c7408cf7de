import { loadSettings } from '@app/config';
import { createLogger } from '@app/telemetry';
import { openMail, type SignInMail } from './open-mail.js';

const log = createLogger({ level: 'silent', component: 'spec' });
const SMTP_URL = 'smtp://127.0.0.1:1025';
const MAIL_FROM = 'a@b.example';
const BROKER_URL = 'memory:';

const opened = (env: Record<string, string>): SignInMail =>
  openMail({ settings: loadSettings(env), log });

describe('links to sign in', () => {
  it.each<[string, string, Record<string, string>]>([
    ['mailed', 'with a server and a sender', { SMTP_URL, MAIL_FROM }],
    ['mailed', 'also of an embedded start', { SMTP_URL, MAIL_FROM, BROKER_URL }],
    ['logged', 'by an embedded start without a server', { BROKER_URL }],
    ['logged', 'also when a sender is named', { BROKER_URL, MAIL_FROM }],
  ])('are %s %s', async (kind, _, env) => {
    const mail = opened(env);
    expect(mail.kind).toBe(kind);
    if (mail.kind !== 'off') await mail.sender.close();
  });

  it.each<[string, Record<string, string>, readonly string[]]>([
    ['a cluster without a server', {}, ['SMTP_URL', 'MAIL_FROM']],
    ['a cluster with a sender alone', { MAIL_FROM }, ['SMTP_URL']],
    ['a server without a sender', { SMTP_URL }, ['MAIL_FROM']],
    ['an embedded start with half of it', { SMTP_URL, BROKER_URL }, ['MAIL_FROM']],
  ])('are off in %s, and name the missing settings', (_, env, missing) => {
    expect(opened(env)).toEqual({ kind: 'off', missing });
  });
});
