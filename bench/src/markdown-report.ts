import type { ConverterName } from './markdown-converters.js';
import type { MarkdownRound } from './markdown-rounds.js';
import { median } from './report.js';

/** The converter that ratios are taken against. */
const BASE: ConverterName = 'turndown';

export function markdownRoundLine(round: MarkdownRound): string {
  const { converter, cpuMsPerPage, markdownChars, failedPages } = round;
  return `[${round.round}] ${converter.padEnd(20)} cpu ${cpuMsPerPage.toFixed(2)} ms/page  ${markdownChars} characters  failed ${failedPages}`;
}

/** Medians and ranges as a Markdown table; `×` is how many times as fast as turndown. */
export function markdownTable(rounds: readonly MarkdownRound[]): string {
  const cpuOf = (name: ConverterName): readonly number[] =>
    rounds.filter(({ converter }) => converter === name).map(({ cpuMsPerPage }) => cpuMsPerPage);
  const names = [...new Set(rounds.map(({ converter }) => converter))];
  const base = median(cpuOf(BASE));
  const rows = names.map((name) => {
    const own = cpuOf(name);
    const last = rounds.findLast(({ converter }) => converter === name);
    const range = `${Math.min(...own).toFixed(2)}–${Math.max(...own).toFixed(2)}`;
    const times = Number.isNaN(base) ? '–' : (base / median(own)).toFixed(2);
    return [name, median(own).toFixed(2), range, times, last?.markdownChars, last?.failedPages];
  });
  const titles = ['converter', 'CPU ms/page', 'min–max', `× ${BASE}`, 'characters', 'failed pages'];
  return [titles, titles.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
