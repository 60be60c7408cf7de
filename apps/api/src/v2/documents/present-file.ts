import type { ParsedFile } from '@app/contracts';
import type { Warnings } from '../options/warnings.js';
import { FILE_TYPES } from '../../parse/file-types.js';
import { v2Metadata } from './v2-metadata.js';

export interface FileTerms {
  /** As uploaded. */
  readonly fileName: string;
  readonly credits: number;
  readonly scrapeId: string;
  /** Gets what is incomplete. */
  readonly warnings: Warnings;
}

const MAX_NAME_CHARS = 255;

/** An uploaded document file as `data` of a parse. */
export function presentV2File(
  { markdown, format, title, pages, truncatedBy }: ParsedFile,
  { fileName, credits, scrapeId, warnings }: FileTerms,
): Record<string, unknown> {
  if (truncatedBy !== undefined) warnings.note(`The content is incomplete: ${truncatedBy}.`);
  const name = fileName.slice(0, MAX_NAME_CHARS).toWellFormed();
  const { text } = warnings;
  return {
    markdown,
    ...(text === null ? {} : { warning: text }),
    metadata: v2Metadata(title === undefined ? {} : { title }, {
      ...{ sourceURL: name, url: name, statusCode: 200, contentType: FILE_TYPES[format] },
      ...{ creditsUsed: credits, scrapeId, pages },
    }),
  };
}
