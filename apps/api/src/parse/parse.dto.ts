import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { BooleanField, ChoiceField, IntegerField, UrlField } from '../http/fields.js';
import { MAX_TOKENS_FIELD } from '../scrape/scrape.dto.js';
import { MarkdownCutView } from '../scrape/scrape-result.dto.js';
import { FILE_FORMATS } from './file-types.js';

/** `rag` adds chunks; Markdown and text are always included. */
export const PARSE_FORMATS = ['markdown', 'text', 'rag'] as const;
export type ParseFormat = (typeof PARSE_FORMATS)[number];

/** Kinds of files that are read. */
export const FILE_DESCRIPTION =
  'A document file: PDF, DOCX, XLSX, PPTX, ODT, ODS, ODP, EPUB, RTF, EML, CSV, TSV, Markdown or plain text.';

const PAGES = {
  description: 'Of a PDF: adds `page_list`, the Markdown of each page by itself.',
  fallback: false,
};
const SOURCES = {
  description:
    'Of a PDF: `page_list` with the blocks of each page (`sources`) and their boxes, to show where a text stands.',
  fallback: false,
};
const PAGE_MARKERS = {
  description: 'Of a PDF: a comment before each page in `markdown` names it, as `<!-- page 2 -->`.',
  fallback: false,
};

const FORMAT = {
  description: 'rag: adds `chunks` for an embedding index. Markdown and text are always included.',
  choices: PARSE_FORMATS,
  fallback: 'markdown',
};

/** JSON body of POST /v1/parse. */
export class ParseRequest {
  @UrlField({
    required: true,
    description: `URL of a file. ${FILE_DESCRIPTION}`,
    example: 'https://example.com/report.pdf',
  })
  url: string;

  @ChoiceField(FORMAT)
  format?: ParseFormat;

  @BooleanField(PAGES)
  pages?: boolean;

  @BooleanField(SOURCES)
  sources?: boolean;

  @BooleanField(PAGE_MARKERS)
  pageMarkers?: boolean;

  @IntegerField(MAX_TOKENS_FIELD)
  maxTokens?: number;
}

/** Multipart body of POST /v1/parse; its fields may be in any order. */
export class ParseUpload {
  @ApiProperty({ type: 'string', format: 'binary', description: FILE_DESCRIPTION })
  file: unknown;

  @ApiPropertyOptional({
    type: 'string',
    enum: [...PARSE_FORMATS],
    default: FORMAT.fallback,
    description: FORMAT.description,
  })
  format?: ParseFormat;

  @ApiPropertyOptional({ type: Boolean, default: false, description: PAGES.description })
  pages?: boolean;

  @ApiPropertyOptional({ type: Boolean, default: false, description: SOURCES.description })
  sources?: boolean;

  @ApiPropertyOptional({ type: Boolean, default: false, description: PAGE_MARKERS.description })
  pageMarkers?: boolean;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: MAX_TOKENS_FIELD.min,
    maximum: MAX_TOKENS_FIELD.max,
    description: MAX_TOKENS_FIELD.description,
  })
  maxTokens?: number;
}

class ChunkView {
  @ApiProperty({ description: 'The same document gets the same ids.' })
  id: string;
  @ApiProperty({ type: 'integer' })
  index: number;
  @ApiProperty({ description: 'Markdown.' })
  text: string;
  @ApiProperty({ type: [String], description: 'Titles of its sections, outermost first.' })
  headings: readonly string[];
  @ApiProperty({ type: 'integer' })
  tokens: number;
  @ApiProperty({ description: 'SHA-256 of `text`, hexadecimal.' })
  contentHash: string;
  @ApiPropertyOptional({
    type: [Number],
    description: 'Of a PDF: the first and the last page that it has text of, from 1.',
  })
  pages?: readonly number[];
}

class FileSourceView {
  @ApiProperty({
    enum: ['heading', 'paragraph', 'item', 'table', 'code', 'running'],
    description: 'Running: a header, a footer or a page number.',
  })
  kind: string;
  @ApiProperty({ description: 'Cells are parted by tabs.' })
  text: string;
  @ApiPropertyOptional({
    type: [Number],
    description:
      'Left, top, right and bottom, in points from the upper left of the page. Absent for text askew.',
  })
  box?: readonly number[];
}

class FilePageView {
  @ApiProperty({ type: 'integer', description: 'From 1.' })
  page: number;
  @ApiProperty()
  markdown: string;
  @ApiProperty({ description: 'In points (1/72 inch).' })
  width: number;
  @ApiProperty({ description: 'In points.' })
  height: number;
  @ApiPropertyOptional({ type: [FileSourceView], description: 'With `sources`, in reading order.' })
  sources?: readonly FileSourceView[];
}

/** Parse result. */
export class ParseResult {
  @ApiProperty()
  ok: boolean;
  @ApiProperty()
  markdown: string;
  @ApiProperty()
  text: string;
  @ApiProperty({
    enum: FILE_FORMATS,
    description:
      'Detected from the content. Of text that does not say what it is, the declared type or the name counts.',
  })
  format: string;
  @ApiPropertyOptional({ type: 'integer', description: 'PDF only.' })
  pages?: number;
  @ApiPropertyOptional({
    type: [FilePageView],
    description: 'With `pages` or `sources`: those that were read.',
  })
  page_list?: readonly FilePageView[];
  @ApiPropertyOptional({ type: [ChunkView], description: 'With `format` rag.' })
  chunks?: readonly ChunkView[];
  @ApiPropertyOptional({ type: MarkdownCutView, description: 'Present if `maxTokens` cut it.' })
  markdownCut?: MarkdownCutView;
  @ApiPropertyOptional({ description: 'A vision model read the text from images of the pages.' })
  scanned?: true;
  @ApiPropertyOptional({ description: 'Part of the content was cut.' })
  partial?: true;
  @ApiPropertyOptional({ description: 'What, when `partial`.' })
  partial_reason?: string;
}
