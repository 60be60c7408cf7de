import { type FileHandle, open } from 'node:fs/promises';
import { mainContentTexts, readablePage } from '@app/content';
import { type ScoredPage } from './label-sets.js';

/**
 * Writes what ../../main-content/train_scorer.py learns from: `FILE.jsonl` with label and texts of each page, and
 * `FILE.bin` with the numbers of each text.
 */
export async function writeFeatures(pages: readonly ScoredPage[], file: string): Promise<void> {
  const lines = await open(`${file}.jsonl`, 'w');
  const numbers = await open(`${file}.bin`, 'w');
  try {
    for (const page of pages) await writePage(page, lines, numbers);
  } finally {
    await Promise.all([lines.close(), numbers.close()]);
  }
}

async function writePage(
  { html, url, group, text }: ScoredPage,
  lines: FileHandle,
  numbers: FileHandle,
): Promise<void> {
  const { rows, units } = mainContentTexts(readablePage(new TextDecoder().decode(html), url));
  const width = units.length === 0 ? 0 : rows.length / units.length;
  const texts = units.map((unit) => [unit.text.replace(/\s+/g, ' ').trim(), unit.isKept ? 1 : 0]);
  await numbers.write(new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength));
  await lines.write(`${JSON.stringify({ url, group, text, width, units: texts })}\n`);
}
