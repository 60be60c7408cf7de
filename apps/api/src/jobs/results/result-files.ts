import { Zip, ZipPassThrough } from 'fflate';
import { csvHeader, csvLine } from '@app/connectors';
import type { ResultDocument, StoredResult } from '@app/jobs';

/** What a ZIP archive without the extensions for large ones can number. */
export const MAX_ZIPPED_PAGES = 65_535;
const MAX_SLUG_CHARS = 80;

const COLUMNS = [
  'url',
  'title',
  'description',
  'language',
  'status_code',
  'fetched_by',
  'ms',
  'markdown_chars',
] as const;

/** A CSV file with a line for each page: what is known of it, without its text. */
export async function* csvOf(results: AsyncIterable<StoredResult>): AsyncGenerator<Buffer> {
  yield Buffer.from(csvHeader(COLUMNS));
  for await (const { document } of results) {
    const { url, statusCode, markdown, metadata } = parsed(document);
    const { title, description, language, fetchMethod, latencyMs } = metadata ?? {};
    yield Buffer.from(
      csvLine(COLUMNS, {
        ...{ url, title, description, language, ms: latencyMs },
        ...{ status_code: statusCode, fetched_by: fetchMethod },
        markdown_chars: markdown?.length,
      }),
    );
  }
}

/** A ZIP archive with the Markdown of each page, in files named after their number and address. */
export async function* zipOf(results: AsyncIterable<StoredResult>): AsyncGenerator<Buffer> {
  let written: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    written.push(chunk);
  });
  const taken = (): Buffer => {
    const chunk = Buffer.concat(written);
    written = [];
    return chunk;
  };
  for await (const { resultNo, document } of results) {
    const { url, markdown } = parsed(document);
    if (url === undefined || markdown === undefined) continue;
    const file = new ZipPassThrough(`${String(resultNo).padStart(5, '0')}-${slugOf(url)}.md`);
    zip.add(file);
    file.push(Buffer.from(markdown), true);
    yield taken();
  }
  zip.end();
  yield taken();
}

/** The path of an address as the name of a file: letters, digits and hyphens of any script. */
export function slugOf(url: string): string {
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  const slug = decoded(path)
    .replace(/\.\w{1,5}$/, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-/, '')
    .slice(0, MAX_SLUG_CHARS)
    .replace(/-$/, '');
  return slug || 'index';
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** A page of a batch that failed has an error and no more. */
function parsed(document: Buffer): Partial<ResultDocument> {
  return JSON.parse(document.toString('utf8')) as Partial<ResultDocument>;
}
