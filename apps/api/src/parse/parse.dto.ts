import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ChoiceField, UrlField } from '../http/fields.js';

/** `rag` adds chunks; Markdown and text are always included. */
export const PARSE_FORMATS = ['markdown', 'text', 'rag'] as const;
export type ParseFormat = (typeof PARSE_FORMATS)[number];

const FORMAT = {
  description: 'rag: adds `chunks` for an embedding index. Markdown and text are always included.',
  choices: PARSE_FORMATS,
  fallback: 'markdown',
};

/** JSON body of POST /v1/parse. */
export class ParseRequest {
  @UrlField({
    required: true,
    description: 'URL of a PDF or DOCX.',
    example: 'https://example.com/report.pdf',
  })
  url: string;

  @ChoiceField(FORMAT)
  format?: ParseFormat;
}

/** Multipart body of POST /v1/parse; its fields may be in any order. */
export class ParseUpload {
  @ApiProperty({ type: 'string', format: 'binary', description: 'A PDF or DOCX.' })
  file: unknown;

  @ApiPropertyOptional({
    type: 'string',
    enum: [...PARSE_FORMATS],
    default: FORMAT.fallback,
    description: FORMAT.description,
  })
  format?: ParseFormat;
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
}

/** Parse result. */
export class ParseResult {
  @ApiProperty()
  ok: boolean;
  @ApiProperty()
  markdown: string;
  @ApiProperty()
  text: string;
  @ApiProperty({ enum: ['pdf', 'docx'], description: 'Detected from the content, not the name.' })
  format: string;
  @ApiPropertyOptional({ type: 'integer', description: 'PDF only.' })
  pages?: number;
  @ApiPropertyOptional({ type: [ChunkView], description: 'With `format` rag.' })
  chunks?: readonly ChunkView[];
  @ApiPropertyOptional({ description: 'A vision model read the text from images of the pages.' })
  scanned?: true;
  @ApiPropertyOptional({ description: 'Part of the content was cut.' })
  partial?: true;
  @ApiPropertyOptional({ description: 'What, when `partial`.' })
  partial_reason?: string;
}
