import type { Converter, ConverterName, SourcePage } from './markdown-converters.js';

/** What one converter took for all pages once. */
export interface MarkdownRound {
  readonly converter: ConverterName;
  readonly round: number;
  /** User and system time of the process, helper threads of V8 included. */
  readonly cpuMsPerPage: number;
  readonly markdownChars: number;
  /** Pages it threw at; their time counts. */
  readonly failedPages: number;
}

/** After so many rounds all code is compiled. */
const WARM_UP_ROUNDS = 2;

/** CPU time since the last call, milliseconds. */
export type CpuTimer = () => number;

export function processCpuClock(): CpuTimer {
  let last = process.cpuUsage();
  return () => {
    const now = process.cpuUsage();
    const spent = now.user + now.system - last.user - last.system;
    last = now;
    return spent / 1_000;
  };
}

export interface RoundsOptions {
  readonly rounds: number;
  readonly clock: CpuTimer;
  readonly onRound?: (round: MarkdownRound) => void;
}

/**
 * Everybody converts all pages, one after the other, in as many rounds: every other round the other
 * way round, after some uncounted ones. Garbage is left to be collected when V8 wants to: made
 * to at each turn, it throws away compiled code with it.
 */
export function runMarkdownRounds(
  converters: readonly Converter[],
  pages: readonly SourcePage[],
  { rounds, clock, onRound }: RoundsOptions,
): readonly MarkdownRound[] {
  const ready = converters.map(({ name, prepare }) => ({ name, convert: prepare() }));
  const measured: MarkdownRound[] = [];
  for (let round = 1 - WARM_UP_ROUNDS; round <= rounds; round++) {
    for (const { name, convert } of round % 2 !== 0 ? ready : [...ready].reverse()) {
      clock();
      const totals = convertAll(convert, pages);
      const cpuMsPerPage = clock() / pages.length;
      if (round < 1) continue;
      measured.push({ converter: name, round, cpuMsPerPage, ...totals });
      onRound?.(measured.at(-1) as MarkdownRound);
    }
  }
  return measured;
}

function convertAll(
  convert: (page: SourcePage) => string,
  pages: readonly SourcePage[],
): Pick<MarkdownRound, 'markdownChars' | 'failedPages'> {
  let markdownChars = 0;
  let failedPages = 0;
  for (const page of pages) {
    try {
      markdownChars += convert(page).length;
    } catch {
      // Converters are known to throw at deep pages; how often is part of the result.
      failedPages++;
    }
  }
  return { markdownChars, failedPages };
}
