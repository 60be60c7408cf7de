// The main content of labelled pages: how much of it is kept, and what that costs. See ../README.md.
import { parseArgs } from 'node:util';
import { DEFAULT_CONTENT_OPTIONS } from '@app/contracts';
import { extractPage } from '@app/content';
import { type LabelledArticle, readLabelledPages } from './main-content-pages.js';
import {
  type MeanScore,
  meanScore,
  type PageScore,
  scorePage,
  textOfMarkdown,
} from './main-content-score.js';

/** Pages converted before the clock starts. */
const WARM_UP_PAGES = 8;

interface Scored {
  readonly page: LabelledArticle;
  readonly score: PageScore;
}

/** Prints the score and the cost of `onlyMainContent` on a folder of labelled pages. */
export async function mainContentBench(args: readonly string[]): Promise<void> {
  const { data, worst } = parseOptions(args);
  const pages = await readLabelledPages(data);
  for (const page of pages.slice(0, WARM_UP_PAGES)) keptText(page);
  const first = measured(pages);
  const { texts } = first;
  const scored = pages.map((page, at) => ({ page, score: scorePage(page.label, texts[at] ?? '') }));
  for (const line of linesOf(scored, worst)) console.log(line);
  // The engine compiles while it meets the pages for the first time; a running service no longer does.
  const again = measured(pages);
  console.log(
    `\n${first.cpuMs.toFixed(2)} ms CPU a page: parsing, metadata, main content, Markdown; ` +
      `${again.cpuMs.toFixed(2)} ms the second time`,
  );
}

interface Measured {
  readonly texts: readonly string[];
  /** A page. */
  readonly cpuMs: number;
}

function measured(pages: readonly LabelledArticle[]): Measured {
  const before = process.cpuUsage();
  const texts = pages.map(keptText);
  const { user, system } = process.cpuUsage(before);
  return { texts, cpuMs: (user + system) / 1_000 / Math.max(1, pages.length) };
}

function parseOptions(args: readonly string[]): { readonly data: string; readonly worst: number } {
  const { values } = parseArgs({
    args: [...args],
    options: {
      suite: { type: 'string' },
      data: { type: 'string' },
      worst: { type: 'string', default: '0' },
    },
  });
  if (values.data === undefined) {
    throw new Error('--data must name a folder with ground-truth.json and html/<id>.html.gz');
  }
  return { data: values.data, worst: Number(values.worst) };
}

/** What a user gets, as text: the Markdown of the page's main content without its marks. */
function keptText({ html, url }: LabelledArticle): string {
  const page = extractPage(
    { body: html, contentType: 'text/html; charset=utf-8', url },
    {
      markdown: true,
      links: false,
      rawHtml: false,
      content: { ...DEFAULT_CONTENT_OPTIONS, onlyMainContent: true },
    },
  );
  return textOfMarkdown(page.markdown ?? '');
}

/** All pages, and each half by itself: a rule that helps one page only shows as a gap. */
function linesOf(scored: readonly Scored[], worst: number): readonly string[] {
  const halfOf = (half: number) => scored.filter((_, at) => at % 2 === half);
  const worstPages = [...scored].sort((one, other) => sumOf(one) - sumOf(other)).slice(0, worst);
  return [
    ...worstPages.map(({ page, score }) => `${scoreText(meanScore([score]))}  ${page.url}`),
    `${scored.length} pages   ${scoreText(meanOf(scored))}`,
    `even pages ${scoreText(meanOf(halfOf(0)))}`,
    `odd pages  ${scoreText(meanOf(halfOf(1)))}`,
  ];
}

const meanOf = (scored: readonly Scored[]): MeanScore =>
  meanScore(scored.map(({ score }) => score));

const sumOf = ({ score }: Scored): number => (score.precision ?? 0) + (score.recall ?? 0);

const scoreText = ({ f1, precision, recall }: MeanScore): string =>
  `F1 ${f1.toFixed(4)}  precision ${precision.toFixed(4)}  recall ${recall.toFixed(4)}`;
