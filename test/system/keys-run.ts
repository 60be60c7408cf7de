import { loadSettings } from '@app/config';
import { TrawlClient, type Answer } from '@app/testing';
import { runAdmin } from '../../apps/api/src/admin/run-admin.js';
import { openAdminDatabase } from '../../apps/standalone/src/open-admin-database.js';
import { programEnd, type ProgramEnd } from '../setup/run-program.js';
import type { Service } from './deployment.js';

type Place = Pick<Service, 'env'>;

/** Runs `npm run admin -- …` as an operator of the deployment would, in its environment. */
export function runAdminCommand(place: Place, words: readonly string[]): Promise<ProgramEnd> {
  return programEnd(['npm', 'run', '--silent', 'admin', '--', ...words], place.env);
}

/** The same in this process: a program takes seconds to start. */
export async function adminCommand(place: Place, words: readonly string[]): Promise<ProgramEnd> {
  const end = { out: '', err: '' };
  const code = await runAdmin(words, {
    open: () => openAdminDatabase(loadSettings(place.env)),
    actor: 'system test',
    write: (text) => void (end.out += text),
    complain: (text) => void (end.err += text),
  });
  return { code, ...end };
}

/** With `--json`, when it is to go well. */
export async function adminJson<T>(service: Service, ...words: string[]): Promise<T> {
  const { code, out, err } = await adminCommand(service, [...words, '--json']);
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${err}`);
  return JSON.parse(out) as T;
}

export interface Provisioned {
  readonly apiKey: string;
  readonly tenantId: string;
  readonly tier: string;
  readonly note: string;
}

/** POST /v1/keys/provision without a key, as if forwarded for an address. */
export async function provision(
  url: string,
  { forwardedFor, body }: { readonly forwardedFor?: string; readonly body?: unknown } = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly body: unknown }> {
  const response = await fetch(`${url}/v1/keys/provision`, {
    method: 'POST',
    headers: {
      ...(forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export interface KeyShown {
  readonly id: string;
  readonly label: string;
  readonly prefix: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly origin: string;
  readonly current: boolean;
}

export async function listKeys(client: TrawlClient): Promise<readonly KeyShown[]> {
  const { body } = await client.call('GET', '/v1/keys');
  return (body as { keys: KeyShown[] }).keys;
}

/** Whether a key is taken: the cheapest call that requests one. */
export function knock(url: string, key: string): Promise<Answer> {
  return new TrawlClient(url, key).call('GET', '/v1/jobs');
}
