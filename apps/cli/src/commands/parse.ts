import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { DocumentFile } from '@app/client';
import type { Cli, GlobalFlags } from '../cli.js';
import { CliError } from '../cli-error.js';
import { EXIT } from '../exit-codes.js';
import { ended } from '../output/page-text.js';
import { countOption } from './options.js';

interface ParseFlags extends GlobalFlags {
  readonly chunks?: boolean;
  readonly pages?: boolean;
  readonly sources?: boolean;
  readonly pageMarkers?: boolean;
  readonly maxTokens?: number;
}

export function addParse(program: Command, cli: Cli): void {
  program
    .command('parse')
    .description(
      'Print a document file as Markdown: PDF, Office, OpenDocument, EPUB, RTF, mail, CSV',
    )
    .argument('<file>', 'a file, its URL, or - for standard input')
    .option('--chunks', 'with --json: also chunks for embeddings')
    .option('--pages', 'of a PDF, with --json: also each page by itself')
    .option('--sources', 'of a PDF, with --json: also the blocks of each page and where they are')
    .option('--page-markers', 'of a PDF: a comment before each page names it')
    .option('--max-tokens <n>', 'cut the Markdown to so many tokens', countOption)
    .action(async (file: string, _: unknown, self: Command) => {
      const { chunks, pages, sources, pageMarkers, maxTokens, json, ...flags } =
        self.optsWithGlobals<ParseFlags>();
      const trawl = cli.client(flags);
      const source = await openSource(file, cli);
      const format = chunks ? ('rag' as const) : undefined;
      const options = { format, pages, sources, pageMarkers, maxTokens };
      const request = trawl.parse(source, options, { signal: cli.signal });
      const parsed = await cli.wait(file, flags, request);
      const text = json ? `${JSON.stringify(parsed, undefined, 2)}\n` : ended(parsed.markdown);
      await cli.terminal.write(text);
      if (!parsed.partial) return;
      cli.terminal.say(`trawl: a part of the content is missing: ${parsed.partial_reason}`);
      cli.exitCode = EXIT.partial;
    });
}

/** A file is read while it is sent. */
async function openSource(file: string, { terminal }: Cli): Promise<string | DocumentFile> {
  if (/^https?:\/\//i.test(file)) return file;
  if (file === '-') return new Uint8Array(await buffer(terminal.input));
  try {
    return new File([await openAsBlob(file)], basename(file));
  } catch (error) {
    const { message } = error as Error;
    throw new CliError(`cannot read ${file}: ${message}`, 'Name a file, a URL, or - for input.', EXIT.failed); // prettier-ignore
  }
}
