import { stat } from 'node:fs/promises';
import path from 'node:path';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Database, Statement } from '@app/database';
import { parse } from 'csv-parse';
import type { Observation } from '../evidence/facts.js';
import { writeObservations } from '../store/write-observations.js';
import type { ImportMap } from './import-map.js';
import { observationOfRow, type ImportRow } from './observation-of-row.js';

const BATCH = 500;

export interface ImportReject {
  readonly line: number;
  readonly reason: string;
}

export interface ImportProgress {
  /** Of the file, those of earlier runs included. */
  readonly line: number;
  readonly written: number;
  readonly created: number;
  readonly merged: number;
  readonly rejected: number;
  /** Rows that the map does not select, and businesses that opted out. */
  readonly skipped: number;
}

export interface ImportOptions {
  readonly map: ImportMap;
  /** Of all facts that the file states. */
  readonly seenAt: Date;
  /** Also find misspelled names of the same place, which takes milliseconds each. */
  readonly findsSimilarNames: boolean;
  onReject(reject: ImportReject): void;
  onProgress?(progress: ImportProgress): void;
}

const DONE: Statement = {
  name: 'business_import_done',
  text: 'SELECT line FROM business_imports WHERE source = $1 AND file = $2 AND bytes = $3',
};
const NOTE: Statement = {
  name: 'note_business_import',
  text: `
    INSERT INTO business_imports (source, file, bytes, line) VALUES ($1, $2, $3, $4)
    ON CONFLICT (source, file, bytes) DO UPDATE SET line = excluded.line, updated_at = now()`,
};
const FORGET: Statement = {
  name: 'forget_business_import',
  text: 'DELETE FROM business_imports WHERE source = $1 AND file = $2 AND bytes = $3',
};

/**
 * Writes the rows of a file to the graph in batches. An import that was interrupted goes on after its last batch; a row
 * that is written again changes nothing.
 */
export async function importFile(
  database: Database,
  file: string,
  options: ImportOptions,
): Promise<ImportProgress> {
  const key = [options.map.source, path.basename(file), (await stat(file)).size];
  const [done] = await database.query<{ line: string }>(DONE, key);
  const writer = new ImportWriter(database, options, Number(done?.line ?? 0));
  for await (const read of readRows(file)) {
    if (!writer.add(read)) continue;
    await writer.flush();
    await database.query(NOTE, [...key, read.line]);
  }
  await writer.flush();
  await database.query(FORGET, key);
  return writer.progress;
}

class ImportWriter {
  private batch: Observation[] = [];
  private counts: ImportProgress;

  constructor(
    private readonly database: Database,
    private readonly options: ImportOptions,
    private readonly from: number,
  ) {
    this.counts = { line: from, written: 0, created: 0, merged: 0, rejected: 0, skipped: 0 };
  }

  get progress(): ImportProgress {
    return this.counts;
  }

  /** Returns whether a batch is full. */
  add(
    read: { readonly line: number } & ({ readonly row: object } | { readonly reject: string }),
  ): boolean {
    const { line } = read;
    if (line <= this.from) return false;
    this.counts = { ...this.counts, line };
    const { map, seenAt } = this.options;
    const result = 'reject' in read ? read : observationOfRow({ ...read.row }, map, seenAt);
    if (result === null) this.count('skipped', 1);
    else if ('reject' in result) this.reject(line, result.reject);
    else this.batch.push(result);
    return this.batch.length >= BATCH;
  }

  async flush(): Promise<void> {
    if (this.batch.length === 0) return;
    const { findsSimilarNames, onProgress } = this.options;
    const terms = { tenantId: null, findsSimilarNames };
    const { businessIds, created, merged } = await writeObservations(
      this.database,
      this.batch,
      terms,
    );
    const written = businessIds.filter((id) => id !== null).length;
    this.count('written', written);
    this.count('skipped', businessIds.length - written);
    this.count('created', created);
    this.count('merged', merged);
    this.batch = [];
    onProgress?.(this.counts);
  }

  private reject(line: number, reason: string): void {
    this.count('rejected', 1);
    this.options.onReject({ line, reason });
  }

  private count(what: keyof ImportProgress, more: number): void {
    this.counts = { ...this.counts, [what]: this.counts[what] + more };
  }
}

/** A longer line is that of a broken file. */
const MAX_LINE_BYTES = 1_048_576;

/** One row of a file with its line number, or why it cannot be read. */
type ReadRow =
  | { readonly line: number; readonly row: ImportRow }
  | { readonly line: number; readonly reject: string };

/** The rows of a CSV file with a header line, or of an NDJSON file (by its name: `.ndjson`, `.jsonl`). */
function readRows(file: string): AsyncIterable<ReadRow> {
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
