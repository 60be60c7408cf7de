import { deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';

export interface PdfOptions {
  /** Entries of the trailer besides size and root. */
  readonly trailer?: string;
  /** Address that the first page links to. */
  readonly link?: string;
  /** Drawn on the first page before its text; compressed. */
  readonly operators?: string;
}

/** A small valid PDF: one line of text on each page. */
export function pdfOf(
  lines: readonly string[],
  { trailer = '', link, operators }: PdfOptions = {},
): Buffer {
  const pages = lines.map((_, n) => `${4 + 2 * n} 0 R`);
  const annotation = link
    ? `/Annots [<< /Type /Annot /Subtype /Link /Rect [72 700 300 740] /A << /S /URI /URI (${link}) >> >>] `
    : '';
  return writePdf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Count ${lines.length} /Kids [${pages.join(' ')}] >>`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      ...lines.flatMap((line, n) => {
        const text = `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`;
        const isPacked = operators !== undefined && n === 0;
        const stream = isPacked ? deflateSync(`${operators}\n${text}`).toString('latin1') : text;
        return [
          `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + 2 * n} 0 R ` +
            `${n === 0 ? annotation : ''}/Resources << /Font << /F1 3 0 R >> >> >>`,
          `<< /Length ${stream.length}${isPacked ? ' /Filter /FlateDecode' : ''} >>\nstream\n${stream}\nendstream`,
        ];
      }),
    ],
    trailer,
  );
}

/** A PDF behind an unknown password. */
export function encryptedPdf(): Buffer {
  return pdfOf(['Secret'], {
    trailer:
      `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >> ` +
      `/ID [<${'01'.repeat(16)}> <${'01'.repeat(16)}>]`,
  });
}

function writePdf(objects: readonly string[], trailer: string): Buffer {
  let file = '%PDF-1.4\n';
  const rows = objects.map((object, n) => {
    const row = `${String(file.length).padStart(10, '0')} 00000 n \n`;
    file += `${n + 1} 0 obj\n${object}\nendobj\n`;
    return row;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}`;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file + table + end, 'latin1');
}

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const XML = '<?xml version="1.0" encoding="UTF-8"?>';

/** A small valid DOCX: a paragraph for each text. */
export function docxOf(paragraphs: readonly string[]): Buffer {
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('');
  const parts = {
    '[Content_Types].xml':
      `<Types xmlns="${PACKAGE}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Override PartName="/word/document.xml" ContentType="${WORD}.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  };
  const files = Object.entries(parts).map(([name, text]) => [name, strToU8(XML + text)] as const);
  return Buffer.from(zipSync(Object.fromEntries(files)));
}

/** Content type of a DOCX. */
export const DOCX_TYPE = WORD;
