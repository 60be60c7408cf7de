import type { MapLink } from './sitemap-task.js';

/** Links looked at before others get their turn of the event loop. */
const LINKS_PER_TURN = 5_000;

/** The first `limit` links of all files, each once; says whether there are more. */
export async function mergeLinks(
  files: readonly (readonly MapLink[])[],
  limit: number,
): Promise<{ readonly links: readonly string[]; readonly isCut: boolean }> {
  const seen = new Set<string>();
  const links: string[] = [];
  let looked = 0;
  for (const file of files) {
    for (const { url, key } of file) {
      if (++looked % LINKS_PER_TURN === 0) await nextTurn();
      if (seen.has(key ?? url)) continue;
      if (links.length === limit) return { links, isCut: true };
      seen.add(key ?? url);
      links.push(url);
    }
  }
  return { links, isCut: false };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
