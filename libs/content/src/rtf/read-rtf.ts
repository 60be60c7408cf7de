import type { FileContent } from '../files/file-content.js';
import { MAX_METADATA_CHARS } from '../limits.js';
import { RtfReader } from './rtf-reader.js';
import { tokenizeRtf } from './rtf-tokens.js';

/**
 * An RTF document (Rich Text Format 1.9.1) without its pictures, objects, headers and footers.
 * @throws {UnreadableFile}
 */
export function readRtf(bytes: Uint8Array): FileContent {
  const reader = new RtfReader();
  tokenizeRtf(bytes, reader);
  const { html, title } = reader.finish();
  return {
    html: [html],
    title: title === '' ? undefined : title.slice(0, MAX_METADATA_CHARS),
  };
}
