import { createInterface } from 'node:readline/promises';
import { text as readText } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import {
  readEnvironment,
  type CliEnvironment,
  type Access,
  type AccessFlags,
  type AccessValue,
} from '../access/find-access.js';
import { loginFile, writeLogin } from '../access/login-file.js';
import { Interrupted, type Cli, type GlobalFlags } from '../cli.js';
import { CliError } from '../cli-error.js';

const EXAMPLE = 'printf %s "$KEY" | trawl login --url http://127.0.0.1:3000';

export function addLogin(program: Command, cli: Cli): void {
  program
    .command('login')
    .description('Check an address and a key, and keep them for this user')
    .addHelpText('after', `\nIn a script the key comes from standard input:\n  ${EXAMPLE}`)
    .action(async (_: unknown, self: Command) => {
      const flags = self.optsWithGlobals<GlobalFlags>();
      const environment = readEnvironment();
      const access = await askAccess(flags, environment, cli);
      const { plan } = await cli.open(access).usage({ signal: cli.signal });
      const file = loginFile(environment.configHome);
      writeLogin(file, { url: access.url.value, apiKey: access.apiKey.value });
      if (!flags.quiet) cli.terminal.say(`The key works (plan ${plan}). Saved in ${file}`);
    });
}

/** Address and key that are not set are asked for. */
async function askAccess(
  flags: AccessFlags,
  { url, apiKey }: CliEnvironment,
  cli: Cli,
): Promise<Access> {
  const found = (value: string, name: string): AccessValue => ({ value, source: name, name });
  return {
    url: flags.url
      ? found(flags.url, '--url')
      : url
        ? found(url, 'TRAWL_URL')
        : found(await ask(cli, 'Address of Trawl: '), 'the address'),
    apiKey: flags.key
      ? found(flags.key, '--key')
      : apiKey
        ? found(apiKey, 'TRAWL_API_KEY')
        : found(await readKey(cli), 'the key'),
  };
}

/** From the person at the terminal without an echo, or from standard input. */
async function readKey(cli: Cli): Promise<string> {
  if (cli.terminal.input.isTTY) return ask(cli, 'API key (not shown): ', true);
  return (await readText(cli.terminal.input)).trim();
}

async function ask({ terminal, signal }: Cli, question: string, isHidden = false): Promise<string> {
  if (!terminal.input.isTTY)
    throw new CliError('standard input is no terminal to ask for the address', `e.g. ${EXAMPLE}`);
  const output = new Writable({
    write: (chunk: Buffer, _, done) => {
      if (!isHidden) terminal.draw(chunk.toString());
      done();
    },
  });
  if (isHidden) terminal.draw(question);
  const prompt = createInterface({ input: terminal.input, output, terminal: true });
  // While the prompt is open it reads Ctrl-C and Ctrl-D itself.
  const left = new AbortController();
  for (const event of ['SIGINT', 'close'] as const) prompt.once(event, () => left.abort());
  try {
    const ends = AbortSignal.any([signal, left.signal]);
    const answer = await prompt.question(isHidden ? '' : question, { signal: ends });
    if (isHidden) terminal.draw('\n');
    return answer.trim();
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
    terminal.draw('\n');
    throw new Interrupted();
  } finally {
    prompt.close();
  }
}
