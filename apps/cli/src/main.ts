#!/usr/bin/env node
import { Interrupted } from './cli.js';
import { Terminal } from './output/terminal.js';
import { runCli } from './run-cli.js';

const { stdin: input, stdout: output, stderr: errors } = process;
const interrupt = new AbortController();
// Once: a second signal ends the program at once.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => interrupt.abort(new Interrupted(signal)));
const terminal = new Terminal({ input, output, errors });
process.exitCode = await runCli(process.argv.slice(2), { terminal, interrupt: interrupt.signal });
// Connections that are kept for a next request would delay the end.
process.exit();
