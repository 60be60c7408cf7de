import { z } from 'zod';
import type { Schemas } from '@app/client';
import { request } from '../calls/tool-call.js';
import { tokenEstimate } from '../text/estimate-tokens.js';
import { defineTool, READS_THE_WEB } from './define-tool.js';
import { pagingFields, urlField } from './fields.js';
import { partialNote } from './page-text.js';
import { pagedAnswer, type ToolText } from './paged-answer.js';

const input = z.strictObject({
  url: urlField('URL of a document file, http:// or https://.'),
  ...pagingFields,
});

export const parseTool = defineTool({
  name: 'parse',
  title: 'Read a document file',
  description:
    'Read a document file (PDF, DOCX, XLSX, PPTX, OpenDocument, EPUB, RTF, mail, CSV) from a URL as Markdown. A long file is cut; call again with the offset that the answer names to read on. Web pages are for scrape. Files of this machine cannot be read.',
  credits: '1 credit a file, 0 if it has no text and for reading on in a copy that is still kept',
  annotations: READS_THE_WEB,
  input,
  run: (args, call) =>
    pagedAnswer(call, args, async () => {
      const { url } = args;
      const file = await request(call, 'Reading the file', (trawl, sent) =>
        trawl.parse(url, {}, sent),
      );
      return toText(url, file);
    }),
});

function toText(url: string, file: Schemas['ParseResult']): ToolText {
  const { markdown, format, pages, scanned } = file;
  const facts = [
    format.toUpperCase(),
    ...(pages === undefined ? [] : [`${pages} pages`]),
    ...(scanned ? ['read from pictures by a model'] : []),
    `about ${tokenEstimate(markdown)} tokens in all`,
  ];
  return { about: `${facts.join(', ')}.${partialNote(file)}`, source: url, text: markdown };
}
