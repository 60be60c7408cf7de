import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parse } from 'csv-parse';
import type { ImportRow } from './observation-of-row.js';

/** A longer line is that of a broken file. */
const MAX_LINE_BYTES = 1_048_576;

/** One row of a file with its line number, or why it cannot be read. */
export type ReadRow =
  | { readonly line: number; readonly row: ImportRow }
  | { readonly line: number; readonly reject: string };

/** The rows of a CSV file with a header line, or of an NDJSON file (by its name: `.ndjson`, `.jsonl`). */
export function readRows(file: string): AsyncIterable<ReadRow> {
  return /\.(?:ndjson|jsonl)$/i.test(file) ? ndjsonRows(file) : csvRows(file);
}

async function* csvRows(file: string): AsyncIterable<ReadRow> {
  const broken: ReadRow[] = [];
  const parser = createReadStream(file).pipe(
    parse({
      bom: true,
      columns: true,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: MAX_LINE_BYTES,
      skip_records_with_error: true,
      on_skip: (error) => {
        if (error) broken.push({ line: Number(error.lines), reject: error.message });
        return undefined;
      },
    }),
  );
  for await (const one of parser as AsyncIterable<{
    readonly record: ImportRow;
    readonly info: { readonly lines: number };
  }>) {
    yield* broken.splice(0);
    yield { line: one.info.lines, row: one.record };
  }
  yield* broken;
}

async function* ndjsonRows(file: string): AsyncIterable<ReadRow> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (text.trim() !== '') yield { line, ...rowOf(text) };
  }
}

function rowOf(text: string): { readonly row: ImportRow } | { readonly reject: string } {
  if (text.length > MAX_LINE_BYTES) return { reject: `longer than ${MAX_LINE_BYTES} characters` };
  try {
    const row: unknown = JSON.parse(text);
    const isObject = typeof row === 'object' && row !== null && !Array.isArray(row);
    return isObject ? { row: row as ImportRow } : { reject: 'not a JSON object' };
  } catch {
    return { reject: 'not JSON' };
  }
}
