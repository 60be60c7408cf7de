import { lineDiff, type PageDiff } from '@app/connectors';
import { runSteps } from '../threads/run-steps.js';

/** UTF-16 units of the text of a page that is compared. */
const MAX_TEXT = 1_000_000;

interface PageResults {
  /** JSON of the page result of the crawl before, UTF-8. */
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/** What differs in title and Markdown of two results of a page; null: one has no Markdown, or too much of it. */
function diff({ before, after }: PageResults): PageDiff | null {
  const old = textOf(before);
  const young = textOf(after);
  return old === null || young === null ? null : lineDiff(old, young);
}

function textOf(json: Uint8Array): string | null {
  // Written by ourselves, see `crawlResult` of jobs.
  const { markdown, metadata } = JSON.parse(Buffer.from(json).toString('utf8')) as {
    readonly markdown?: string;
    readonly metadata?: { readonly title?: string };
  };
  if (markdown === undefined || markdown.length > MAX_TEXT) return null;
  const title = metadata?.title;
  return title === undefined ? markdown : `title: ${title}\n${markdown}`;
}

const steps = { diff };
export type DiffSteps = typeof steps;
export default runSteps(steps);
