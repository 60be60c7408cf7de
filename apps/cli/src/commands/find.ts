import type { Command } from 'commander';
import type { Schemas, TrawlJob } from '@app/client';
import type { Cli, GlobalFlags } from '../cli.js';
import { paint, type TextPart } from '../output/terminal.js';
import { countOption } from './options.js';

interface FindFlags extends GlobalFlags {
  readonly limit?: number;
  readonly passages?: number;
}

type Found = Schemas['PageSearchAnswer'];

/** Those of one request. */
const MAX_LIMIT = 50;
const MAX_LIMIT_WITH_PASSAGES = 10;

export function addFind(program: Command, cli: Cli): void {
  program
    .command('find')
    .description('Search the pages of a job that was started with --index')
    .argument('<id>', 'a job')
    .argument('<query...>', 'words of a page; "a phrase"; this or that; -without')
    .option('-n, --limit <count>', 'maximum number of pages (default: 10)', countOption)
    .option(
      '--passages <count>',
      'also parts of each page that have the words, 1 to 5',
      countOption,
    )
    .action(async (id: string, words: string[], _: unknown, self: Command) => {
      const { json, ...flags } = self.optsWithGlobals<FindFlags>();
      const { terminal } = cli;
      const query = words.join(' ');
      const request = find(cli.client(flags).job(id), query, flags, cli.signal);
      const found = await cli.wait(query, flags, request);
      if (json) return terminal.write(`${JSON.stringify(found, undefined, 2)}\n`);
      await terminal.write(...partsOf(found));
      if (!flags.quiet) terminal.say(countOf(found));
    });
}

/** The best matches, over as many requests as the limit needs. */
async function find(
  job: TrawlJob,
  query: string,
  { limit, passages }: FindFlags,
  signal: AbortSignal,
): Promise<Found> {
  const most = passages === undefined ? MAX_LIMIT : MAX_LIMIT_WITH_PASSAGES;
  const terms = { signal, passages };
  let found = await job.search(query, { ...terms, limit: limit && Math.min(limit, most) });
  while (limit !== undefined && found.next !== null && found.results.length < limit) {
    const missing = Math.min(limit - found.results.length, most);
    const more = await job.search(query, { ...terms, limit: missing, cursor: found.next });
    found = { ...more, results: [...found.results, ...more.results] };
  }
  return found;
}

function partsOf({ results }: Found): readonly TextPart[] {
  return results.flatMap(({ title, url, snippet, highlights, passages }, at) => [
    ...(at === 0 ? [] : ['\n']),
    ...[`${at + 1}. `, paint('bold', title ?? url), '\n   ', paint('cyan', url), '\n   '],
    ...[...highlighted(snippet, highlights), '\n'],
    ...(passages ?? []).map(({ text }) => `\n${text.replace(/^/gm, '   ')}\n`),
  ]);
}

/** @param highlights start and end of each match, in order */
function highlighted(snippet: string, highlights: readonly number[][]): readonly TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const [start = 0, end = 0] of highlights) {
    parts.push(snippet.slice(at, start), paint(['bold', 'yellow'], snippet.slice(start, end)));
    at = end;
  }
  return [...parts, snippet.slice(at)];
}

function countOf({ results, total, totalIsExact, status }: Found): string {
  const all = `${total}${totalIsExact ? '' : ' or more'}`;
  const count = total === 0 ? 'No page matches' : `${results.length} of ${all} pages`;
  const isOver = status === 'completed' || status === 'failed' || status === 'cancelled';
  return isOver ? count : `${count} so far: the job is ${status}`;
}
