import type { Command } from 'commander';
import { API_VERSION, CLIENT_VERSION, type Trawl } from '@app/client';
import { findAccess, type FoundAccess } from '../access/find-access.js';
import { openClient, type Cli, type GlobalFlags } from '../cli.js';
import { CliError, describeError } from '../cli-error.js';
import { EXIT } from '../exit-codes.js';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly text: string;
}

const CHECK_TIMEOUT_MS = 10_000;

export function addDoctor(program: Command, cli: Cli): void {
  program
    .command('doctor')
    .description('Check configuration, address, key and version, and say how to fix them')
    .action(async (_: unknown, self: Command) => {
      const flags = self.optsWithGlobals<GlobalFlags>();
      const checks: Check[] = [];
      for await (const check of runChecks(flags, cli.signal)) {
        checks.push(check);
        const { ok, name, text } = check;
        if (!flags.json) await cli.terminal.write(`${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(8)}  ${text}\n`); // prettier-ignore
      }
      if (flags.json) await cli.terminal.write(`${JSON.stringify(checks, undefined, 2)}\n`);
      if (checks.some(({ ok }) => !ok)) cli.exitCode = EXIT.failed;
    });
}

/** Stops at the first failure: what follows depends on it. */
async function* runChecks(flags: GlobalFlags, signal: AbortSignal): AsyncGenerator<Check> {
  yield { name: 'trawl', ok: true, text: `${CLIENT_VERSION} on Node ${process.versions.node}` };
  let trawl: Trawl | undefined;
  const settings = await checked('settings', async () => {
    const access = findAccess(flags);
    trawl = clientOf(access);
    return `address from ${access.url?.source}, key from ${access.apiKey?.source}`;
  });
  yield settings;
  if (!trawl) return;
  const client = trawl;
  const call = { signal, timeoutMs: CHECK_TIMEOUT_MS };
  const address = await checked('address', async () => {
    const version = await client.apiVersion(call);
    return `responds, API ${version}${versionNote(version)}`;
  });
  yield address;
  if (!address.ok) return;
  yield await checked('key', async () => {
    const { plan, pages_scraped } = await client.usage(call);
    return `plan ${plan}, ${pages_scraped} pages this month`;
  });
}

async function checked(name: string, check: () => Promise<string>): Promise<Check> {
  try {
    return { name, ok: true, text: await check() };
  } catch (error) {
    return { name, ok: false, text: describeError(error).line };
  }
}

function clientOf({ url, apiKey }: FoundAccess): Trawl {
  if (!url || !apiKey)
    throw new CliError(
      `no ${url ? 'API key' : 'address'} is set`,
      'Run trawl login, or set TRAWL_URL and TRAWL_API_KEY.',
    );
  return openClient(url.value, apiKey.value, 0); // A diagnosis is wanted now.
}

function versionNote(version: string): string {
  return version === API_VERSION ? '' : `; this trawl knows API ${API_VERSION}: install the version of the service`; // prettier-ignore
}
