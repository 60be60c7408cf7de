// HTML to Markdown beside other converters, on the same pages in one process: see ../README.md.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '@app/testing';
import { CONVERTERS } from './markdown-converters.js';
import { type MarkdownOptions, parseMarkdownOptions } from './markdown-options.js';
import { folderPages, sitePages } from './markdown-pages.js';
import { markdownRoundLine, markdownTable } from './markdown-report.js';
import { type MarkdownRound, processCpuClock, runMarkdownRounds } from './markdown-rounds.js';

/** Runs the benchmark by its command line, prints its table and keeps its rounds. */
export async function markdownBench(args: readonly string[]): Promise<void> {
  const options = parseMarkdownOptions(args);
  const { dataDir, only } = options;
  const pages =
    dataDir === null ? sitePages(options.pages) : await folderPages(dataDir, options.pages);
  const bytes = pages.reduce((sum, page) => sum + page.bytes.length, 0);
  console.log(`${pages.length} pages, mean ${Math.round(bytes / pages.length)} bytes`);
  const rounds = runMarkdownRounds(
    CONVERTERS.filter(({ name }) => only.includes(name)),
    pages,
    {
      rounds: options.rounds,
      clock: processCpuClock(),
      onRound: (round) => console.log(markdownRoundLine(round)),
    },
  );
  await keep(rounds, options);
  console.log(`\n${markdownTable(rounds)}`);
}

async function keep(rounds: readonly MarkdownRound[], options: MarkdownOptions): Promise<void> {
  const dir = path.join(projectRoot(), '.cache/bench');
  await mkdir(dir, { recursive: true });
  const at = new Date().toISOString();
  const file = path.join(dir, `markdown-${at.replaceAll(/[:.]/g, '-')}.json`);
  await writeFile(file, JSON.stringify({ at, options, node: process.version, rounds }, null, 1));
  console.log(`\nresults in ${path.relative(projectRoot(), file)}`);
}
