import { parseMailFrom, parseSmtpUrl, type Settings } from '@app/config';
import { LoggedMail, SmtpMailSender, type Mail, type MailSender } from '@app/providers';
import type { Runtime } from '@app/runtime';

/** How links to sign in get to people here. */
export type SignInMail =
  | { readonly kind: 'mailed'; readonly sender: MailSender }
  /** No mail server, and this process is the whole service: its log is the mailbox. */
  | { readonly kind: 'logged'; readonly sender: MailSender }
  /** Disabled; `missing` are the settings it needs. */
  | { readonly kind: 'off'; readonly missing: readonly string[] };

type MailSettings = Pick<Settings, 'smtpUrl' | 'mailFrom' | 'brokerUrl'>;

export function openMail({ settings, log }: Pick<Runtime, 'settings' | 'log'>): SignInMail {
  const missing = missingMailSettings(settings);
  if (missing.length === 0) return { kind: 'mailed', sender: openSmtp(settings) };
  if (settings.smtpUrl !== '' || !isWholeService(settings)) return { kind: 'off', missing };
  // A warning, so that it is seen at the usual level: every reader of this line can sign in.
  const write = (mail: Mail): void =>
    log.warn({ mail }, 'a mail is printed here, as SMTP_URL is not set');
  return { kind: 'logged', sender: new LoggedMail(write) };
}

/** Names of the settings without which no mail is sent. */
function missingMailSettings({ smtpUrl, mailFrom }: MailSettings): readonly string[] {
  return [...(smtpUrl === '' ? ['SMTP_URL'] : []), ...(mailFrom === '' ? ['MAIL_FROM'] : [])];
}

/**
 * Only an embedded start has its own queue: in a cluster, logs have many readers and are kept for
 * long.
 */
function isWholeService({ brokerUrl }: MailSettings): boolean {
  return brokerUrl === 'memory:';
}

function openSmtp({ smtpUrl, mailFrom }: MailSettings): MailSender {
  return new SmtpMailSender({ ...parseSmtpUrl(smtpUrl), from: parseMailFrom(mailFrom) });
}
