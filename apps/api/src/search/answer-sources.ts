import type { CitableSource } from '@app/search';
import type { SearchResultItem } from './search.dto.js';

/** Of one source in a task: five of them fit the 64 KB of a message. */
const MAX_SOURCE_BYTES = 10_000;

/** The results as a model is shown them: snippet, and the start of the page where it was scraped. */
export function answerSources(results: readonly SearchResultItem[]): readonly CitableSource[] {
  return results.map(({ position, url, title, snippet, markdown }) => ({
    position,
    url,
    title,
    text: clipped([snippet, markdown ?? ''].filter((part) => part !== '').join('\n\n')),
  }));
}

/** The start of a text that fits as JSON, where a character may take six bytes. */
function clipped(text: string): string {
  let clip = text.slice(0, MAX_SOURCE_BYTES);
  for (let size = sizeOf(clip); size > MAX_SOURCE_BYTES; size = sizeOf(clip))
    clip = clip.slice(0, Math.floor((clip.length * MAX_SOURCE_BYTES) / size));
  return clip.toWellFormed();
}

function sizeOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
