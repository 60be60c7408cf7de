import { randomUUID } from 'node:crypto';
import type { Plan } from '@app/contracts';
import { createTenant } from '@app/accounts';
import { startFakeSmtp, until, type FakeSmtp, type LogLine, type ReceivedMail } from '@app/testing';
import { DashboardRun, type DashboardVisit } from './dashboard-run.js';
import type { Mode } from './deployment.js';
import { shareWithOwnApi, type OwnApiService } from './shared-cluster.js';

export const SIGN_IN_LINK_PATH = '/dashboard/sign-in/link';

/** What a form was answered with. */
export interface Posted {
  readonly status: number;
  readonly location: string | undefined;
  readonly retryAfter: string | undefined;
  readonly text: string;
}

/** An account page with a mail server of the spec. */
export class DashboardMailRun {
  private constructor(
    readonly pages: DashboardRun<OwnApiService>,
    readonly smtp: FakeSmtp,
  ) {}

  static async start(mode: Mode): Promise<DashboardMailRun> {
    const smtp = await startFakeSmtp({ user: { name: 'relay', password: 'p:/@ss' } });
    const env = {
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Trawl <sign-in@trawl.example>',
    };
    try {
      const pages = await DashboardRun.start(() => shareWithOwnApi(mode, env));
      return new DashboardMailRun(pages, smtp);
    } catch (error) {
      await smtp.close();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.pages.stop();
    await this.smtp.close();
  }

  /** An account with an address that no other has, unless one is given. */
  async account(
    email = `${randomUUID()}@example.com`,
    plan: Plan = 'free',
  ): Promise<{ readonly id: string; readonly email: string }> {
    const { id } = await createTenant(this.pages.service.database, 'by mail', plan, email);
    return { id, email };
  }

  /** The next mail to an address. */
  async mailTo(email: string, seen = 0): Promise<ReceivedMail> {
    const mine = (): readonly ReceivedMail[] =>
      this.smtp.mails.filter(({ to }) => to.includes(email));
    return until(() => mine()[seen], { what: `mail ${seen + 1} to ${email}` });
  }

  /** Sends a form as a page of the dashboard would, and follows no redirect. */
  async post(
    visit: DashboardVisit,
    path: string,
    form: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Posted> {
    const { url } = this.pages.service;
    const answer = await visit.page.request.post(url + path, {
      headers: { origin: url, ...headers },
      form,
      maxRedirects: 0,
    });
    const { location, 'retry-after': retryAfter } = answer.headers();
    return { status: answer.status(), location, retryAfter, text: await answer.text() };
  }

  /** Asks for a link by a form, from a network of one's own. */
  ask(visit: DashboardVisit, email: string, from: string): Promise<Posted> {
    return this.post(visit, '/dashboard/sign-in/mail', { email }, { 'x-forwarded-for': from });
  }
}

/** Asks for a link as a person does. */
export async function requestLink({ page, open }: DashboardVisit, email: string): Promise<void> {
  await open('/dashboard/sign-in');
  await page.getByLabel('E-mail address of the account').fill(email);
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await page.getByRole('heading', { level: 1, name: 'Check your mail' }).waitFor();
}

/** Opens a link and presses its button. */
export async function followLink({ page }: DashboardVisit, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** The same, and waits to be in. */
export async function enterByLink(visit: DashboardVisit, link: string): Promise<void> {
  await followLink(visit, link);
  await visit.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await visit.page.waitForLoadState();
}

/** Does something that counts within an hour of the clock; anew when one ended meanwhile. */
export async function withinOneHour<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    const hour = new Date().getUTCHours();
    const done = await work();
    if (new Date().getUTCHours() === hour) return done;
  }
}

/** Addresses of links in a mail, in its order. */
export function linksIn(text: string): readonly string[] {
  return text.match(/http\S+\/dashboard\/sign-in\/link\?token=[\w-]{43}(?=\s|$)/g) ?? [];
}

/** The one link of a mail. */
export function linkIn(text: string): string {
  const [link, ...others] = linksIn(text);
  if (link === undefined || others.length > 0) throw new Error(`not one link in: ${text}`);
  return link;
}

export function tokenOf(link: string): string {
  return new URL(link).searchParams.get('token') ?? '';
}

/** The text of a mail that was printed in a log. */
export function printedMail({ mail }: LogLine): string {
  const { text } = (mail ?? {}) as { readonly text?: unknown };
  return typeof text === 'string' ? text : '';
}
