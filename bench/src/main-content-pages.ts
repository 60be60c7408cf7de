import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A page with the text that people found to be its article. */
export interface LabelledArticle {
  readonly id: string;
  readonly url: string;
  readonly label: string;
  readonly html: Uint8Array;
}

/**
 * Reads a folder as the public article extraction benchmark lays it out: `ground-truth.json` with
 * `articleBody` and `url` by id, and `html/<id>.html.gz` in UTF-8.
 */
export async function readLabelledPages(dir: string): Promise<readonly LabelledArticle[]> {
  const truth: unknown = JSON.parse(await readFile(path.join(dir, 'ground-truth.json'), 'utf8'));
  if (typeof truth !== 'object' || truth === null) throw new Error('no labels by id');
  const ids = Object.entries(truth).sort(([one], [other]) => (one < other ? -1 : 1));
  return Promise.all(
    ids.map(async ([id, label]) => {
      const html = gunzipSync(await readFile(path.join(dir, 'html', `${id}.html.gz`)));
      return { id, html, ...labelOf(id, label) };
    }),
  );
}

function labelOf(id: string, value: unknown): { readonly label: string; readonly url: string } {
  if (typeof value !== 'object' || value === null || !('articleBody' in value)) {
    throw new Error(`no articleBody for ${id}`);
  }
  const url = 'url' in value && typeof value.url === 'string' ? value.url : 'https://example.com/';
  return { label: String(value.articleBody), url };
}
