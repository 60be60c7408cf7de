import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { ExtractInput, ExtractResponse } from '@app/client';
import type { Cli, GlobalFlags } from '../cli.js';
import { CliError } from '../cli-error.js';
import { EXIT, type ExitCode } from '../exit-codes.js';

interface ExtractFlags extends GlobalFlags {
  readonly schema?: string;
  readonly complexity?: 'low' | 'high';
}

export function addExtract(program: Command, cli: Cli): void {
  program
    .command('extract')
    .description('Extract structured data as JSON: a business listing, or data by a schema')
    .argument('<url...>', 'up to 100 pages')
    .option('-s, --schema <json>', 'JSON Schema or a shape such as {"price": "number"}, or @file')
    .option('--complexity <class>', 'low, or high for a stronger model')
    .action(async (urls: string[], _: unknown, self: Command) => {
      const flags = self.optsWithGlobals<ExtractFlags>();
      const schema = flags.schema === undefined ? undefined : await readSchema(flags.schema);
      const pages: ExtractInput = urls.length === 1 ? { url: urls[0] } : { urls };
      const body = { ...pages, schema, complexity: flags.complexity };
      const found = await cli.client(flags).extract(body, { signal: cli.signal });
      await cli.terminal.write(`${JSON.stringify(found, undefined, 2)}\n`);
      cli.exitCode = codeOf(found);
    });
}

function codeOf(found: ExtractResponse): ExitCode {
  if (!('results' in found)) return EXIT.ok;
  const failed = found.results.filter(({ ok }) => !ok).length;
  if (failed === 0) return EXIT.ok;
  return failed === found.results.length ? EXIT.failed : EXIT.partial;
}

async function readSchema(given: string): Promise<Record<string, unknown>> {
  const text = given.startsWith('@') ? await readFile(given.slice(1), 'utf8') : given;
  try {
    const schema: unknown = JSON.parse(text);
    if (typeof schema === 'object' && schema !== null && !Array.isArray(schema))
      return schema as Record<string, unknown>;
  } catch {
    // Described below.
  }
  throw new CliError('--schema is not a JSON object', 'Pass JSON, or @file for a file with JSON.');
}
