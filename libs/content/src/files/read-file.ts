import { readDocx } from '../docx/read-docx.js';
import { readPdf } from '../pdf/read-pdf.js';
import { failedFile, type FileOptions, type FileResult } from './file-result.js';
import { nameOtherFile, sniffFile } from './sniff-file.js';

/**
 * Reads a PDF or DOCX as Markdown and text; the file type is detected from the content. Never
 * throws. CPU and memory depend on the file, which is untrusted: run it in a thread that may
 * be killed.
 */
export async function readFile(bytes: Uint8Array, options: FileOptions = {}): Promise<FileResult> {
  const format = sniffFile(bytes);
  switch (format) {
    case 'pdf':
      return readPdf(bytes, options);
    case 'docx':
      return readDocx(bytes, options);
    case null:
      return refuse(bytes);
  }
}

function refuse(bytes: Uint8Array): FileResult {
  const { name, isEncrypted } = nameOtherFile(bytes);
  return isEncrypted === true
    ? failedFile('encrypted', 'The document is encrypted and opens only with a password')
    : failedFile('unknown_kind', `Only PDF and DOCX can be read; this is ${name}`);
}
