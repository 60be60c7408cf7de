import { createApiKey, createTenant } from '@app/accounts';
import { revokeApiKey } from '../../libs/accounts/src/keys/revoke-key.js';
import { adHocStatement, TrawlClient, until } from '@app/testing';
import { issueSignInLinks } from '../../libs/accounts/src/sessions/sign-in-links.js';
import { auditPage } from './dashboard-audit.js';
import {
  requestLink,
  DashboardMailRun,
  enterByLink,
  followLink,
  SIGN_IN_LINK_PATH,
  linkIn,
  linksIn,
  tokenOf,
  withinOneHour,
} from './dashboard-mail-run.js';
import type { DashboardVisit } from './dashboard-run.js';
import { MODES } from './deployment.js';
import { adminJson } from './keys-run.js';

const PAGES = [
  '',
  '/playground',
  '/requests',
  '/jobs',
  '/keys',
  '/sessions',
  '/webhooks',
  '/plan',
].map((path) => `/dashboard${path}`);

const headingOf = ({ page }: DashboardVisit): Promise<string> => page.locator('h1').innerText();

describe.each(MODES)('signing in to the account page, %s', (mode) => {
  let run: DashboardMailRun;
  let visit: DashboardVisit;

  beforeAll(async () => {
    run = await DashboardMailRun.start(mode);
  });
  afterAll(() => run?.stop());
  afterEach(async () => {
    await visit?.close();
  });

  it('leads by a link from the form by the mail and a button into the account, once', async () => {
    const { email } = await run.account();
    visit = await run.pages.visit();
    await requestLink(visit, email);
    const mail = await run.mailTo(email);
    expect(mail).toMatchObject({ from: 'sign-in@trawl.example', to: [email], user: 'relay' });
    expect(mail.headers['subject']).toBe('Sign in to Trawl');
    const link = linkIn(mail.text);
    expect(new URL(link).origin).toBe(new URL(run.pages.service.url).origin);

    // Opened by programs before.
    for (let n = 0; n < 3; n++) {
      expect((await visit.page.request.get(link)).status()).toBe(200);
      expect((await visit.page.request.head(link)).status()).toBe(200);
    }
    await enterByLink(visit, link);
    expect(visit.page.url()).not.toContain('token');
    const cookies = await visit.page.context().cookies();
    const attributes = { httpOnly: true, sameSite: 'Strict', expires: -1 };
    expect(cookies).toEqual(
      ['trawl_link', 'trawl_session'].map((name) =>
        expect.objectContaining({ name, ...attributes }),
      ),
    );
    for (const path of PAGES) {
      await visit.open(path);
      expect([path, await headingOf(visit)]).not.toEqual([path, 'Sign in']);
    }
    expect(visit.problems).toEqual([]);
    await visit.close();

    visit = await run.pages.visit();
    await followLink(visit, link);
    await visit.page.getByRole('alert').filter({ hasText: 'was already used' }).waitFor();
    expect(await visit.page.context().cookies()).toEqual([]);
    expect(run.pages.cspReports()).toEqual([]);
  });

  describe('by links', () => {
    beforeEach(async () => {
      run.smtp.mode = 'ok';
      visit = await run.pages.visit();
    });

    const linkFor = async (email: string, from: string, seen = 0): Promise<string> => {
      expect(await run.ask(visit, email, from)).toMatchObject({ status: 303 });
      return linkIn((await run.mailTo(email, seen)).text);
    };

    it('work once when the button is pressed many times at once', async () => {
      const { email } = await run.account();
      const token = tokenOf(await linkFor(email, '198.51.100.1'));
      const presses = Array.from({ length: 10 }, () =>
        run.post(visit, SIGN_IN_LINK_PATH, { token }),
      );
      const statuses = (await Promise.all(presses)).map(({ status }) => status).sort();
      expect(statuses).toEqual([303, ...Array.from({ length: 9 }, () => 410)]);
    });

    it('work in the browser that asked for them alone', async () => {
      const { email } = await run.account();
      const link = await linkFor(email, '198.51.100.9');
      const other = await run.pages.visit();
      await followLink(other, link);
      await other.page.getByRole('alert').filter({ hasText: 'another browser' }).waitFor();
      await other.close();
      await followLink(visit, link);
      await visit.page.getByRole('heading', { name: 'Overview' }).waitFor();
    });

    it('that are too old open no session, and the page explains it', async () => {
      const { id, email } = await run.account();
      const link = await linkFor(email, '198.51.100.2');
      const text = `UPDATE sign_in_links SET expires_at = now() WHERE tenant_id = $1`;
      await run.pages.service.database.query({ name: 'spec_age_link', text }, [id]);
      await followLink(visit, link);
      await visit.page.getByRole('alert').filter({ hasText: 'older than 10 minutes' }).waitFor();
      const cookies = await visit.page.context().cookies();
      expect(cookies.map(({ name }) => name)).toEqual(['trawl_link']);
    });

    it.each(['', 'x', 'a'.repeat(43), `${'a'.repeat(42)}"`])('of %j are none', async (token) => {
      const path = `${SIGN_IN_LINK_PATH}?token=${encodeURIComponent(token)}`;
      await visit.open(path);
      if (token.length === 43 && !token.includes('"')) {
        await visit.page.getByRole('button', { name: 'Sign in' }).click();
      }
      await visit.page.getByRole('alert').waitFor();
      expect(await run.post(visit, SIGN_IN_LINK_PATH, { token })).toMatchObject({ status: 410 });
    });

    it('look the same for an unknown address, and are not sent', async () => {
      const { email } = await run.account();
      const unknown = 'nobody-at-all@example.com';
      const answers = [
        await run.ask(visit, unknown, '198.51.100.3'),
        await run.ask(visit, email, '198.51.100.3'),
      ];
      expect(answers[0]).toEqual(answers[1]);
      expect(answers[0]).toMatchObject({ status: 303, location: '/dashboard/sign-in/asked' });
      await run.mailTo(email);
      expect(run.smtp.mails.filter(({ to }) => to.includes(unknown))).toEqual([]);
    });

    it('do not delay the response, whatever the mail server does', async () => {
      const { email } = await run.account();
      run.smtp.mode = 'silent';
      run.smtp.hangUp();
      const before = run.smtp.connections;
      expect(await run.ask(visit, email, '198.51.100.4')).toMatchObject({ status: 303 });
      // The server has been reached, and never answers.
      await until(() => run.smtp.connections > before, { what: 'the mail on its way' });
      expect(run.smtp.mails.filter(({ to }) => to.includes(email))).toEqual([]);
      run.smtp.hangUp();
    });

    it('are so many for one address, from wherever', async () => {
      const statuses = await withinOneHour(async () => {
        const { email } = await run.account();
        const asked: number[] = [];
        for (let n = 0; n < 7; n++)
          asked.push((await run.ask(visit, email, `203.0.113.${n}`)).status);
        return asked;
      });
      expect(statuses).toEqual([303, 303, 303, 303, 303, 429, 429]);
    });

    it('are limited for one network, for any addresses', async () => {
      let network = 100;
      const answers = await withinOneHour(async () => {
        const from = `203.0.113.${network++}`;
        const asked = Array.from({ length: 40 }, (_, n) =>
          run.ask(visit, `nobody-${n}@example.com`, from),
        );
        return Promise.all(asked);
      });
      const limited = answers.filter(({ status }) => status === 429);
      expect([answers.length - limited.length, limited.length]).toEqual([30, 10]);
      for (const { text, retryAfter } of limited) {
        expect(text).toContain('Too many links were requested');
        expect(Number(retryAfter)).toBeGreaterThan(0);
      }
    });

    it.each([
      'a@b.example\r\nBcc: victim@example.com',
      'a@b.example\nBcc: victim@example.com',
      'a@b.example%0d%0aBcc: victim@example.com',
      'a@b.example, victim@example.com',
      'a@b.example;victim@example.com',
      'victim@example.com>\r\nDATA\r\n',
      '<victim@example.com>',
      '"a\\"\r\nRCPT TO:<victim@example.com>"@b.example',
      'a@b',
      'a@b.example\u0000',
      `${'a'.repeat(250)}@example.com`,
      'ä@b.example',
      '',
    ])('are not sent to %j', async (email) => {
      const { status, text } = await run.ask(visit, email, '198.51.100.5');
      expect(status).toBe(400);
      expect(text).toContain('This is not an e-mail address.');
      const said = [...run.smtp.commands, ...run.smtp.mails.map(({ raw }) => raw)].join('\n');
      expect(said).not.toMatch(/victim|a@b/);
    });

    it('name every account of an address in one mail, and no untrusted text', async () => {
      const { email } = await run.account();
      const { database } = run.pages.service;
      const lure = 'Your account is locked: open http://evil.example';
      const { id } = await createTenant(database, lure, 'hobby', email);
      expect(await run.ask(visit, email, '198.51.100.6')).toMatchObject({ status: 303 });
      const { text } = await run.mailTo(email);
      expect(text).not.toContain('evil.example');
      const links = linksIn(text);
      expect(links).toHaveLength(2);
      // The paid account comes first, and is named by its id.
      expect(text.indexOf(`Account ${id} (plan hobby`)).toBeLessThan(text.indexOf('(plan free'));
      for (const link of links) {
        await enterByLink(visit, link);
      }
      expect(await visit.page.locator('main dl').innerText()).toMatch(/Plan\s+Free/);
    });

    it('open sessions that keys have no part in', async () => {
      const { id, email } = await run.account();
      const { database } = run.pages.service;
      const key = await createApiKey(database, id, 'the one');
      await enterByLink(visit, await linkFor(email, '198.51.100.7'));
      await visit.open('/dashboard/keys');
      expect(await visit.page.getByRole('table').innerText()).toContain('the one');
      expect(await visit.page.locator('main').innerText()).not.toContain('signed in with');
      await visit.page.getByRole('link', { name: 'Revoke the key the one' }).click();
      await visit.page.getByRole('heading', { level: 1, name: 'Revoke a key' }).waitFor();
      await visit.page.waitForLoadState();
      expect(await visit.page.locator('main').innerText()).not.toContain('this session ends');
      await revokeApiKey(database, key);
      await visit.open('/dashboard/keys');
      await visit.page.getByLabel('Name of a new key').fill('made by mail');
      await visit.page.getByRole('button', { name: 'Create key' }).click();
      await visit.page.locator('#new-key').waitFor();
    });

    it('open sessions that make keys for a quarter of an hour, and secrets', async () => {
      const { id, email } = await run.account();
      await enterByLink(visit, await linkFor(email, '198.51.100.13'));
      const age = (minutes: number) =>
        run.pages.service.database.query(
          adHocStatement(
            `UPDATE account_sessions SET created_at = now() - $2 * interval '1 minute' WHERE tenant_id = $1`,
          ),
          [id, minutes],
        );
      const create = async () => {
        await visit.open('/dashboard/keys');
        await visit.page.getByLabel('Name of a new key').fill('late');
        await visit.page.getByRole('button', { name: 'Create key' }).click();
      };
      await age(14);
      await create();
      await visit.page.locator('#new-key').waitFor();
      await age(16);
      await create();
      await visit.page.getByRole('status').filter({ hasText: 'Sign in once more' }).waitFor();
      // The session holds for all else.
      await visit.open('/dashboard/jobs');
      expect(await headingOf(visit)).toBe('Jobs');
    });

    it('open sessions that the account lists and ends', async () => {
      const { email } = await run.account();
      const other = await run.pages.visit();
      await enterByLink(visit, await linkFor(email, '198.51.100.14'));
      expect(await run.ask(other, email, '198.51.100.15')).toMatchObject({ status: 303 });
      await enterByLink(other, linkIn((await run.mailTo(email, 1)).text));
      await visit.open('/dashboard/sessions');
      const rows = visit.page.getByRole('table').getByRole('row');
      expect(await rows.count()).toBe(3);
      expect(await rows.filter({ hasText: 'this one' }).count()).toBe(1);
      await visit.page.getByRole('button', { name: 'End', exact: true }).click();
      await visit.page.getByRole('status').filter({ hasText: 'session was ended' }).waitFor();
      await visit.page.waitForLoadState();
      expect(await rows.count()).toBe(2);
      await other.page.reload();
      expect(await headingOf(other)).toBe('Sign in');
      expect(await run.ask(other, email, '198.51.100.16')).toMatchObject({ status: 303 });
      await enterByLink(other, linkIn((await run.mailTo(email, 2)).text));
      await visit.open('/dashboard/sessions');
      await visit.page.getByRole('button', { name: 'End all others' }).click();
      await visit.page.getByRole('status').filter({ hasText: 'All other sessions' }).waitFor();
      await visit.page.waitForLoadState();
      expect(await rows.count()).toBe(2);
      await other.page.reload();
      expect(await headingOf(other)).toBe('Sign in');
      await other.close();
    });

    it('open sessions that end by an act of the operator', async () => {
      const { id, email } = await run.account();
      await enterByLink(visit, await linkFor(email, '198.51.100.8'));
      expect(await adminJson(run.pages.service, 'session', 'end', id)).toEqual({
        tenantId: id,
        ended: 1,
      });
      await visit.page.reload();
      expect(await headingOf(visit)).toBe('Sign in');
      const acts = await adminJson<{ act: string }[]>(run.pages.service, 'acts', '--tenant', id);
      expect(acts.map(({ act }) => act)).toEqual(['session.end']);
    });

    it('are sent to the address that an operator sets', async () => {
      const { id } = await run.account();
      const email = 'set-by-operator@example.com';
      await adminJson(run.pages.service, 'email', 'set', id, email);
      await enterByLink(visit, await linkFor(email, '198.51.100.9'));
      const acts = await adminJson<unknown[]>(run.pages.service, 'acts', '--tenant', id);
      expect(JSON.stringify(acts)).not.toContain(email);
    });

    it('are requested and used by forms of our own pages alone', async () => {
      const { email } = await run.account();
      const token = tokenOf(await linkFor(email, '198.51.100.10'));
      const mailsToIt = () => run.smtp.mails.filter(({ to }) => to.includes(email)).length;
      for (const origin of ['https://evil.example', 'null']) {
        const refused = { status: 403 };
        expect(await run.post(visit, SIGN_IN_LINK_PATH, { token }, { origin })).toMatchObject(
          refused,
        );
        expect(
          await run.post(visit, '/dashboard/sign-in/mail', { email }, { origin }),
        ).toMatchObject(refused);
      }
      expect(mailsToIt()).toBe(1);
      expect(await run.post(visit, SIGN_IN_LINK_PATH, { token })).toMatchObject({ status: 303 });
    });

    it('have accessible pages that work on a phone and without a script', async () => {
      const { email } = await run.account();
      const link = await linkFor(email, '198.51.100.11');
      const paths = ['/dashboard/sign-in', '/dashboard/sign-in/asked', SIGN_IN_LINK_PATH];
      for (const colorScheme of ['light', 'dark'] as const) {
        await visit.close();
        const viewport = { width: 360, height: 740 };
        visit = await run.pages.visit({ colorScheme, viewport, javaScriptEnabled: true });
        for (const path of [...paths, new URL(link).pathname + new URL(link).search]) {
          await visit.open(path);
          expect([path, await auditPage(visit.page)]).toEqual([path, []]);
          const over = await visit.page.evaluate(
            'document.documentElement.scrollWidth - innerWidth',
          );
          expect([path, over]).toEqual([path, 0]);
        }
      }
      await visit.close();
      visit = await run.pages.visit({ javaScriptEnabled: false });
      await enterByLink(visit, await linkFor(email, '198.51.100.12', 1));
    });
  });

  describe('from another site', () => {
    /**
     * A page of the payment provider that leads to the dashboard: another name of this machine is
     * another site.
     */
    const leaveBy = async (path: string): Promise<void> => {
      run.pages.site.serve({
        '/pay': `<html><body><a href="${run.pages.service.url}${path}">back</a></body></html>`,
      });
      await visit.page.goto(run.pages.site.url('/pay').replace('127.0.0.1', 'localhost'));
      await visit.page.getByRole('link', { name: 'back' }).click();
    };

    it.each([
      ['paid', 'Plan', 'The plan changes as soon as the payment is confirmed'],
      ['plan', 'Plan', 'Your plan is'],
      ['overview', 'Overview', 'Recent jobs'],
    ])(
      'takes back who comes from another site by %s, still signed in',
      async (name, heading, text) => {
        visit = await run.pages.visitSignedIn();
        await leaveBy(`/dashboard/return/${name}`);
        await visit.page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
        await visit.page.waitForLoadState();
        expect(await visit.page.locator('main').innerText()).toContain(text);
        expect(run.pages.cspReports()).toEqual([]);
      },
    );

    it('does so without a script', async () => {
      visit = await run.pages.visitSignedIn({ javaScriptEnabled: false });
      await leaveBy('/dashboard/return/paid');
      await visit.page.getByRole('heading', { level: 1, name: 'Plan', exact: true }).waitFor();
    });

    it('is sent no session by another site past that step', async () => {
      visit = await run.pages.visitSignedIn();
      await leaveBy('/dashboard/plan');
      await visit.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    });

    it('leads from that step to no address that was sent along', async () => {
      visit = await run.pages.visitSignedIn();
      for (const name of ['https:%2F%2Fevil.example', '%2F%2Fevil.example', 'constructor', 'x']) {
        const answer = await visit.page.request.get(
          `${run.pages.service.url}/dashboard/return/${name}`,
        );
        expect([name, answer.status()]).toEqual([name, 404]);
      }
    });

    it('shows the sign-in form to a returning visitor without a session', async () => {
      visit = await run.pages.visit();
      await leaveBy('/dashboard/return/paid');
      await visit.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    });
  });

  if (mode === 'cluster') {
    describe('in two replicas', () => {
      let key: string;

      beforeEach(async () => {
        const { database } = run.pages.service;
        const { id } = await createTenant(database, 'replicas', 'custom');
        key = await createApiKey(database, id, 'first');
        visit = await run.pages.visit();
      });

      const first = (): string => run.pages.service.url;
      /** It has no mail server. */
      const second = (): string => run.pages.service.urls[1] ?? '';
      const openAt = (url: string, path = '/dashboard') => visit.page.goto(url + path);
      const heading = (): Promise<string> => visit.page.locator('h1').innerText();
      /** The form of the page that signs in with a link; as if pressed at one replica. */
      const press = async (url: string, token: string): Promise<number> => {
        const answer = await visit.page.request.post(`${url}/dashboard/sign-in/link`, {
          headers: { origin: url },
          form: { token },
          maxRedirects: 0,
        });
        return answer.status();
      };

      it('accepts sessions and forms in each replica that began at the other', async () => {
        await visit.signIn(key);
        await openAt(second(), '/dashboard/keys');
        expect(await heading()).toBe('API keys');
        await visit.page.getByLabel('Name of a new key').fill('made at the second');
        await visit.page.getByRole('button', { name: 'Create key' }).click();
        await visit.page.locator('#new-key').waitFor();
        expect(new URL(visit.page.url()).origin).toBe(new URL(second()).origin);
        await openAt(first(), '/dashboard/keys');
        expect(await visit.page.locator('main').innerText()).toContain('made at the second');
      });

      it('signs out in both', async () => {
        await visit.signIn(key);
        const state = await visit.page.context().storageState();
        await openAt(second());
        await visit.page.getByRole('button', { name: 'Sign out' }).click();
        await visit.page.getByText('You are signed out.').waitFor();
        await visit.close();
        visit = await run.pages.visit({ storageState: state });
        await openAt(first());
        expect(await heading()).toBe('Sign in');
      });

      it('ends sessions in one with a key that was revoked by the other', async () => {
        await visit.signIn(key);
        const client = new TrawlClient(second(), key);
        const { body } = await client.call('GET', '/v1/keys');
        const [{ id } = { id: '' }] = (body as { keys: { id: string }[] }).keys;
        expect((await client.call('DELETE', `/v1/keys/${id}`)).status).toBe(200);
        await visit.page.reload();
        expect(await heading()).toBe('Sign in');
      });

      it('accepts a link once, at either replica', async () => {
        const email = 'replicas@example.com';
        const { database } = run.pages.service;
        await createTenant(database, 'by mail', 'free', email);
        const { accounts } = await issueSignInLinks(database, { email, browser: null });
        const token = accounts[0]?.token ?? '';
        const presses = Array.from({ length: 10 }, (_, n) =>
          press(n % 2 ? first() : second(), token),
        );
        const statuses = (await Promise.all(presses)).sort();
        expect(statuses).toEqual([303, ...Array.from({ length: 9 }, () => 410)]);
      });

      it('offers no links by mail without a mail server, and explains why', async () => {
        await openAt(second(), '/dashboard/sign-in');
        expect(await visit.page.getByLabel('E-mail address of the account').count()).toBe(0);
        expect(await visit.page.locator('main').innerText()).toContain(
          'has not set SMTP_URL and MAIL_FROM',
        );
        const asked = await visit.page.request.post(`${second()}/dashboard/sign-in/mail`, {
          headers: { origin: second() },
          form: { email: 'someone@example.com' },
          maxRedirects: 0,
        });
        expect(asked.status()).toBe(404);
      });
    });
  }
});
