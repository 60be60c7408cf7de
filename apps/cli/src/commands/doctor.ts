import type { Command } from 'commander';
import { API_VERSION, CLIENT_VERSION, type Trawl } from '@app/client';
import { requireAccess } from '../access/find-access.js';
import type { Cli, GlobalFlags } from '../cli.js';
import { EXIT } from '../exit-codes.js';
import { paint } from '../output/terminal.js';

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
      for await (const check of runChecks(flags, cli)) {
        checks.push(check);
        if (!flags.json) await show(check, cli);
      }
      if (flags.json) await cli.terminal.write(`${JSON.stringify(checks, undefined, 2)}\n`);
      if (checks.some(({ ok }) => !ok)) cli.exitCode = EXIT.failed;
    });
}

async function show({ ok, name, text }: Check, { terminal }: Cli): Promise<void> {
  const verdict = ok ? paint('green', 'ok  ') : paint('red', 'FAIL');
  await terminal.write(verdict, `  ${name.padEnd(8)}  ${text}\n`);
}

/** Stops at the first failure: what follows depends on it. */
async function* runChecks(flags: GlobalFlags, cli: Cli): AsyncGenerator<Check> {
  yield { name: 'trawl', ok: true, text: `${CLIENT_VERSION} on Node ${process.versions.node}` };
  let trawl: Trawl | undefined;
  const checked = async (name: string, check: () => Promise<string>): Promise<Check> => {
    try {
      return { name, ok: true, text: await check() };
    } catch (error) {
      return { name, ok: false, text: cli.describe(error).line };
    }
  };
  const settings = await checked('settings', async () => {
    const access = requireAccess(flags);
    trawl = cli.open(access, 0); // A diagnosis is wanted now.
    return `address from ${access.url.source}, key from ${access.apiKey.source}`;
  });
  yield settings;
  if (!trawl) return;
  const client = trawl;
  const call = { signal: cli.signal, timeoutMs: CHECK_TIMEOUT_MS };
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

function versionNote(version: string): string {
  return version === API_VERSION ? '' : `; this trawl knows API ${API_VERSION}: install the version of the service`; // prettier-ignore
}
