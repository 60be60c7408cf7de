import type { ScanInput } from '@app/tech';

/** The stored input as gzipped JSON; pages are cut at FETCH_MAX_BYTES long before. */
export const MAX_STORED_BYTES = 16 * 1024 * 1024;
/** The same decompressed, including JSON escapes. */
export const MAX_INPUT_BYTES = 64 * 1024 * 1024;

/**
 * Reads the page that was stored for a scan.
 * @param json unpacked
 * @throws Error if it is not such a page
 */
export function readScanInput(json: Uint8Array): ScanInput {
  return parseScanInput(JSON.parse(new TextDecoder().decode(json)));
}

function parseScanInput(value: unknown): ScanInput {
  const input = value as Partial<ScanInput> | null;
  const isInput =
    typeof input?.url === 'string' &&
    typeof input.html === 'string' &&
    isRecordOf(input.headers, isListOfTexts) &&
    isRecordOf(input.cookies, isText) &&
    (input.globals === undefined || isRecordOf(input.globals, isText)) &&
    (input.requests === undefined || isListOfTexts(input.requests));
  if (!isInput) throw new Error('not the input of a scan');
  return input as ScanInput;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isRecordOf(value: unknown, isValue: (one: unknown) => boolean): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(isValue);
}
