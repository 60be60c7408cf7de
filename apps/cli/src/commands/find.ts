import type { Command } from 'commander';
import type { Schemas, TrawlJob } from '@app/client';
import type { Cli, GlobalFlags } from '../cli.js';
import { paint, type TextPart } from '../output/terminal.js';
import { countOption } from './options.js';

interface FindFlags extends GlobalFlags {
  readonly limit?: number;
}

type Found = Schemas['PageSearchAnswer'];

/** That of one request. */
const MAX_LIMIT = 50;

export function addFind(program: Command, cli: Cli): void {
  program
    .command('find')
    .description('Search the pages of a job that was started with --index')
    .argument('<id>', 'a job')
    .argument('<query...>', 'words of a page; "a phrase"; this or that; -without')
    .option('-n, --limit <count>', 'maximum number of pages (default: 10)', countOption)
    .action(async (id: string, words: string[], _: unknown, self: Command) => {
      const { json, ...flags } = self.optsWithGlobals<FindFlags>();
      const { terminal } = cli;
      const query = words.join(' ');
      const request = find(cli.client(flags).job(id), query, flags.limit, cli.signal);
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
  limit: number | undefined,
  signal: AbortSignal,
): Promise<Found> {
  let found = await job.search(query, { limit: limit && Math.min(limit, MAX_LIMIT), signal });
  while (limit !== undefined && found.next !== null && found.results.length < limit) {
    const missing = Math.min(limit - found.results.length, MAX_LIMIT);
    const more = await job.search(query, { limit: missing, cursor: found.next, signal });
    found = { ...more, results: [...found.results, ...more.results] };
  }
  return found;
}

function partsOf({ results }: Found): readonly TextPart[] {
  return results.flatMap(({ title, url, snippet, highlights }, at) => [
    ...(at === 0 ? [] : ['\n']),
    ...[`${at + 1}. `, paint('bold', title ?? url), '\n   ', paint('cyan', url), '\n   '],
    ...[...highlighted(snippet, highlights), '\n'],
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
