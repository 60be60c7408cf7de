import { parseArgs } from 'node:util';
import { CONVERTERS, type ConverterName } from './markdown-converters.js';

export interface MarkdownOptions {
  readonly rounds: number;
  /** Pages of the site; with a folder, the most files read from it. */
  readonly pages: number;
  /** Folder of HTML files, such as `/usr/share/doc`; null: the benchmark's site. */
  readonly dataDir: string | null;
  readonly only: readonly ConverterName[];
}

/** Reads the command line; throws with the rule that a flag breaks. */
export function parseMarkdownOptions(args: readonly string[]): MarkdownOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      suite: { type: 'string', default: 'markdown' },
      rounds: { type: 'string', default: '5' },
      pages: { type: 'string', default: '60' },
      data: { type: 'string' },
      only: { type: 'string' },
    },
  });
  return {
    rounds: whole('rounds', values.rounds),
    pages: whole('pages', values.pages),
    dataDir: values.data ?? null,
    only: values.only?.split(',').map(converterName) ?? CONVERTERS.map(({ name }) => name),
  };
}

function whole(name: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new Error(`--${name} must be a whole number from 1, not '${text}'`);
}

function converterName(text: string): ConverterName {
  const known = CONVERTERS.find(({ name }) => name === text)?.name;
  if (known !== undefined) return known;
  const names = CONVERTERS.map(({ name }) => name).join(', ');
  throw new Error(`--only: there is no '${text}', only ${names}`);
}
