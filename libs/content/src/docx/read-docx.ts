import { zipSync } from 'fflate';
import { parseHtml } from '../dom/parse-html.js';
import { failedFile, type FileOptions, type FileResult } from '../files/file-result.js';
import { documentText } from '../files/plain-text.js';
import { MAX_FILE_CHARS } from '../limits.js';
import { UrlResolver } from '../links/url-resolver.js';
import { writeMarkdown } from '../markdown/write-markdown.js';
import { documentTitle, webLinks } from './document-facts.js';
import { decodeXml, type DocxParts, unpackDocx } from './unpack-docx.js';
import { mathAsText } from './word-math.js';

type Mammoth = typeof import('mammoth');

/** Styles that mammoth does not know by itself. */
const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  "p[style-name='Quote'] => blockquote:fresh",
  "p[style-name='Intense Quote'] => blockquote:fresh",
  "p[style-name='HTML Preformatted'] => pre:separator('\\n')",
  "p[style-name='Source Code'] => pre:separator('\\n')",
  "r[style-name='HTML Code'] => code",
  "r[style-name='Verbatim Char'] => code",
];

/**
 * Reads a DOCX by way of HTML, so that its Markdown is as a page's. mammoth sees only an archive
 * made here of checked parts, never the sender's. Never throws.
 */
export async function readDocx(bytes: Uint8Array, options: FileOptions): Promise<FileResult> {
  const unpacked = unpackDocx(bytes);
  if (!unpacked.ok) return unpacked;
  const mammoth = await loadMammoth();
  if (mammoth === undefined) {
    return failedFile('docx_unavailable', 'DOCX parsing not available');
  }
  const html = await toHtml(mammoth, unpacked.parts);
  return html === undefined
    ? failedFile('malformed', 'The DOCX is damaged and cannot be read')
    : present(html, unpacked.parts, options.maxChars ?? MAX_FILE_CHARS);
}

async function loadMammoth(): Promise<Mammoth | undefined> {
  try {
    const loaded = (await import('mammoth')) as { readonly default?: Mammoth } & Mammoth;
    return loaded.default ?? loaded;
  } catch {
    // An optional component: its absence is an answer, not an error.
    return undefined;
  }
}

async function toHtml(mammoth: Mammoth, parts: DocxParts): Promise<string | undefined> {
  try {
    const archive = zipSync(withReadableMath(parts), { level: 0 });
    const { value } = await mammoth.convertToHtml(
      { buffer: Buffer.from(archive) },
      {
        styleMap: STYLES,
        includeEmbeddedStyleMap: false,
        externalFileAccess: false,
        // Pictures stay in the file; their descriptions are text.
        convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
      },
    );
    return value;
  } catch {
    // mammoth throws on files that are no documents; to the sender that is one answer.
    return undefined;
  }
}

function withReadableMath(parts: DocxParts): Record<string, Uint8Array> {
  return Object.fromEntries(
    Object.entries(parts).map(([name, data]) => [
      name,
      /^word\/[\w-]+\.xml$/.test(name) ? Buffer.from(mathAsText(decodeXml(data))) : data,
    ]),
  );
}

function present(html: string, parts: DocxParts, maxChars: number): FileResult {
  const document = parseHtml(html);
  const written = writeMarkdown(document, new UrlResolver(''));
  const whole = documentText(document);
  if (whole.trim() === '') return failedFile('no_text', 'The DOCX has no text');
  const markdown = cutAtBlock(written.markdown, maxChars);
  const isCut = markdown.length < written.markdown.length;
  const cut = isCut ? 'max_chars' : written.truncatedBy;
  const title = documentTitle(parts, document);
  const links = webLinks(document);
  return {
    ok: true,
    file: {
      format: 'docx',
      markdown,
      text: cutAtBlock(whole, maxChars),
      ...(title === undefined ? {} : { title }),
      ...(links.length === 0 ? {} : { links }),
      ...(cut === undefined ? {} : { truncatedBy: cut }),
    },
  };
}

function cutAtBlock(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = text.lastIndexOf('\n\n', maxChars);
  return `${text.slice(0, end > 0 ? end : maxChars).trimEnd()}\n`;
}
