import { Option, type Command } from 'commander';
import type { ExtractInput, ExtractResponse } from '@app/client';
import type { Cli, GlobalFlags } from '../cli.js';
import { CliError } from '../cli-error.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { readJsonText, urlArguments } from './options.js';

interface ExtractFlags extends GlobalFlags {
  readonly schema?: string;
  readonly complexity?: 'low' | 'high';
}

export function addExtract(program: Command, cli: Cli): void {
  program
    .command('extract')
    .description('Extract structured data as JSON: a business listing, or data by a schema')
    .argument('<url...>', 'up to 100 pages', urlArguments)
    .option(
      '-s, --schema <file>',
      'file with a JSON Schema, or a shape such as {"price": "number"}; or that JSON itself',
    )
    .addOption(
      new Option('--complexity <class>', 'high: a stronger model').choices(['low', 'high']),
    )
    .action(async (urls: string[], _: unknown, self: Command) => {
      const flags = self.optsWithGlobals<ExtractFlags>();
      const schema = flags.schema === undefined ? undefined : await readSchema(flags.schema);
      const pages: ExtractInput = urls.length === 1 ? { url: urls[0] } : { urls };
      const body = { ...pages, schema, complexity: flags.complexity };
      const request = cli.client(flags).extract(body, { signal: cli.signal });
      const found = await cli.wait(urls.join(' '), flags, request);
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
  const text = await readJsonText('--schema', given);
  try {
    const schema: unknown = JSON.parse(text);
    if (typeof schema === 'object' && schema !== null && !Array.isArray(schema))
      return schema as Record<string, unknown>;
  } catch {
    // Described below.
  }
  throw new CliError(
    'the schema of --schema is not a JSON object',
    'Name a file with a JSON object, or write it: \'{"price": "number"}\'.',
  );
}
