import { createApiKey, createTenant, issueSignInLinks } from '@app/accounts';
import { spawnApp, TrawlClient, type SpawnedApp } from '@app/testing';
import { DashboardRun, type DashboardVisit } from './dashboard-run.js';
import { deployCluster, type Deployment } from './deployment.js';

describe('the account page in two replicas', () => {
  let run: DashboardRun<Deployment>;
  let second: SpawnedApp;
  let visit: DashboardVisit;
  let tenantId: string;
  let key: string;

  beforeAll(async () => {
    run = await DashboardRun.start(() => deployCluster({ env: { BROWSER_MAX: '0' } }));
    second = await spawnApp({ app: 'api', env: run.service.env });
    // Stopped with the others.
    run.service.apps.push(second);
  }, 120_000);
  afterAll(() => run?.stop(), 60_000);
  beforeEach(async () => {
    const { database } = run.service;
    ({ id: tenantId } = await createTenant(database, 'replicas', 'custom'));
    key = await createApiKey(database, tenantId, 'first');
    visit = await run.visit();
  });
  afterEach(async () => {
    await visit?.close();
  });

  const first = (): string => run.service.url;
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

  it('are two, on one database', () => {
    expect(second.url).not.toBe(first());
    expect(second.process.pid).not.toBe(run.service.apps[0]?.process.pid);
  });

  it('accepts sessions and forms in each replica that began at the other', async () => {
    await visit.signIn(key);
    await openAt(second.url, '/dashboard/keys');
    expect(await heading()).toBe('API keys');
    await visit.page.getByLabel('Name of a new key').fill('made at the second');
    await visit.page.getByRole('button', { name: 'Create key' }).click();
    await visit.page.locator('#new-key').waitFor();
    expect(new URL(visit.page.url()).origin).toBe(new URL(second.url).origin);
    await openAt(first(), '/dashboard/keys');
    expect(await visit.page.locator('main').innerText()).toContain('made at the second');
  });

  it('signs out in both', async () => {
    await visit.signIn(key);
    const state = await visit.page.context().storageState();
    await openAt(second.url);
    await visit.page.getByRole('button', { name: 'Sign out' }).click();
    await visit.page.getByText('You are signed out.').waitFor();
    await visit.close();
    visit = await run.visit({ storageState: state });
    await openAt(first());
    expect(await heading()).toBe('Sign in');
  });

  it('ends sessions in one with a key that was revoked by the other', async () => {
    await visit.signIn(key);
    const client = new TrawlClient(second.url, key);
    const { body } = await client.call('GET', '/v1/keys');
    const [{ id } = { id: '' }] = (body as { keys: { id: string }[] }).keys;
    expect((await client.call('DELETE', `/v1/keys/${id}`)).status).toBe(200);
    await visit.page.reload();
    expect(await heading()).toBe('Sign in');
  });

  it('accepts a link once, at either replica', async () => {
    const email = 'replicas@example.com';
    const { database } = run.service;
    await createTenant(database, 'by mail', 'free', email);
    const { accounts } = await issueSignInLinks(database, { email });
    const token = accounts[0]?.token ?? '';
    const presses = Array.from({ length: 10 }, (_, n) =>
      press(n % 2 ? first() : second.url, token),
    );
    const statuses = (await Promise.all(presses)).sort();
    expect(statuses).toEqual([303, ...Array.from({ length: 9 }, () => 410)]);
  });

  it('offers no links by mail without a mail server, and explains why', async () => {
    await openAt(first(), '/dashboard/sign-in');
    expect(await visit.page.getByLabel('E-mail address of the account').count()).toBe(0);
    expect(await visit.page.locator('main').innerText()).toContain(
      'has not set SMTP_URL and MAIL_FROM',
    );
    const asked = await visit.page.request.post(`${first()}/dashboard/sign-in/mail`, {
      headers: { origin: first() },
      form: { email: 'someone@example.com' },
      maxRedirects: 0,
    });
    expect(asked.status()).toBe(404);
  });
});
