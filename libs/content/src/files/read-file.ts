import type { ParsedFile } from '@app/contracts';
import { CpuBudget } from '../cpu-budget.js';
import { readDelimited } from '../sheets/read-delimited.js';
import { readXlsx } from '../sheets/read-xlsx.js';
import { readDocx } from '../docx/read-docx.js';
import { readEpub } from '../epub/read-epub.js';
import { MAX_FILE_CHARS } from '../limits.js';
import { readEml } from '../mail/read-eml.js';
import { readOds } from '../open-document/read-ods.js';
import { readOdt } from '../open-document/read-odt.js';
import { readPdf } from '../pdf/read-pdf.js';
import { readRtf } from '../rtf/read-rtf.js';
import { readPptx } from '../slides/read-pptx.js';
import { writeContent, type FileContent } from './file-content.js';
import { failedFile, type FileHint, type FileOptions, type FileResult } from './file-result.js';
import { readPlainText } from './plain-file.js';
import { nameOtherFile, sniffFile, sniffText } from './sniff-file.js';
import { UnreadableFile } from './unreadable-file.js';

type FileFormat = ParsedFile['format'];

/** @throws {UnreadableFile} */
type ReadContent = (bytes: Uint8Array, options: FileOptions, cpu: CpuBudget) => FileContent;

/** Readers of everything but PDF by format. */
const READERS: Readonly<Record<Exclude<FileFormat, 'pdf'>, ReadContent>> = {
  docx: readDocx,
  xlsx: readXlsx,
  pptx: readPptx,
  odt: readOdt,
  ods: readOds,
  odp: readOdt,
  epub: readEpub,
  rtf: readRtf,
  eml: readEml,
  csv: readDelimited,
  tsv: readDelimited,
  md: readPlainText,
  txt: readPlainText,
};

/**
 * Reads a document file as Markdown and text. The file type is detected from the content; of text without a signature
 * the hint decides. A file that cannot be read is an answer; what is thrown is a defect of a reader. CPU and memory
 * depend on the file, which is untrusted: run it in a thread that may be killed.
 */
export async function readFile(bytes: Uint8Array, options: FileOptions = {}): Promise<FileResult> {
  const format = formatOfFile(bytes, options.hint);
  if (format === null) return refuse(bytes);
  if (format === 'pdf') return readPdf(bytes, options);
  try {
    const cpu = new CpuBudget(options.maxCpuMs ?? Infinity);
    return present(format, READERS[format](bytes, options, cpu), options, cpu);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return failedFile(error.problem, `The ${nameOf(format)} ${error.message}`);
  }
}

/** The format that {@link readFile} takes a file for. Null: it cannot be read. */
function formatOfFile(bytes: Uint8Array, hint: FileHint = {}): FileFormat | null {
  return sniffFile(bytes, hint) ?? sniffText(bytes, hint);
}

const nameOf = (format: FileFormat): string =>
  format === 'txt' || format === 'md' ? 'text' : format.toUpperCase();

function refuse(bytes: Uint8Array): FileResult {
  const { name, isEncrypted } = nameOtherFile(bytes);
  return isEncrypted === true
    ? failedFile('encrypted', 'The document is encrypted and opens only with a password')
    : failedFile('unknown_kind', `A file of this kind cannot be read: it is ${name}`);
}

function present(
  format: FileFormat,
  content: FileContent,
  { maxChars = MAX_FILE_CHARS }: FileOptions,
  cpu: CpuBudget,
): FileResult {
  const { markdown, text, title, links, cut } = writeContent(content, { cpu, maxChars });
  if (text.trim() === '') return failedFile('no_text', `The ${nameOf(format)} has no text`);
  const kept = cutAtBlock(markdown, maxChars);
  const truncatedBy = kept.length < markdown.length ? 'max_chars' : cut;
  return {
    ok: true,
    file: {
      format,
      markdown: kept,
      text: cutAtBlock(text, maxChars),
      ...(title === undefined ? {} : { title }),
      ...(links.length === 0 ? {} : { links }),
      ...(truncatedBy === undefined ? {} : { truncatedBy }),
    },
  };
}

function cutAtBlock(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const block = text.lastIndexOf('\n\n', maxChars);
  // Within a long table a row is what can be cut.
  const end = block > maxChars / 2 ? block : text.lastIndexOf('\n', maxChars);
  return `${text.slice(0, end > 0 ? end : maxChars).trimEnd()}\n`;
}
