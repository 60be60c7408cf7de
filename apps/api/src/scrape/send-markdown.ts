import type { FastifyReply } from 'fastify';
import type { PageDocument } from '@app/contracts';
import { invalidRequest } from '../http/invalid-request.js';
import { partialReasonOf } from './present-scrape.js';
import type { ScrapeRequest } from './scrape.dto.js';

export const MARKDOWN = 'text/markdown';
const MAX_TITLE_CHARS = 200;
const MAX_HEADER_URL_CHARS = 2_048;

/** Headers of a Markdown response, for the documentation. */
export const MARKDOWN_HEADERS = {
  'X-Page-Url': {
    description: 'Markdown only: URL after redirects.',
    schema: { type: 'string' },
  },
  'X-Page-Title': {
    description: 'Markdown only: start of the title, percent-encoded UTF-8.',
    schema: { type: 'string' },
  },
  'X-Fetch-Method': {
    description: 'Markdown only: `metadata.fetchMethod`.',
    schema: { type: 'string' },
  },
  'X-Partial-Reason': {
    description: 'Markdown only: present if content is incomplete or blank: `partial_reason`.',
    schema: { type: 'string' },
  },
} as const;

/** The request whose response is the page's Markdown alone. @throws ApiError that names an output it would not have */
export function markdownRequest(body: ScrapeRequest): ScrapeRequest {
  const other = body.formats?.find((format) => format !== 'markdown');
  if (other !== undefined) throw noOutput(`\`formats\` holds ${other}`);
  if (body.includeHtml === true) throw noOutput('`includeHtml` is true');
  return { ...body, formats: ['markdown'], extractListing: false };
}

function noOutput(problem: string): Error {
  return invalidRequest(
    `${problem}, and the response was requested as ${MARKDOWN}, which has Markdown only. Leave it out, or send \`Accept: application/json\``,
  );
}

/** The page's Markdown; its metadata that matters is in headers, none of which a page can break. */
export function sendMarkdown(reply: FastifyReply, page: PageDocument): string {
  const { url, metadata, fetchMethod, file } = page;
  const reason = partialReasonOf(page);
  const title = (file?.title ?? metadata.title ?? '').slice(0, MAX_TITLE_CHARS);
  const headers = {
    'content-type': `${MARKDOWN}; charset=utf-8`,
    'x-page-url': urlInHeader(url),
    'x-page-title': encodeURIComponent(title.toWellFormed()),
    'x-fetch-method': fetchMethod,
    'x-partial-reason': reason ?? '',
  };
  for (const [name, value] of Object.entries(headers)) if (value !== '') reply.header(name, value);
  return file?.markdown ?? page.markdown ?? '';
}

/** Serialised anew: printable ASCII, whatever the site redirected to. */
function urlInHeader(url: string): string {
  const address = URL.parse(url)?.href ?? '';
  return address.length > MAX_HEADER_URL_CHARS ? '' : address;
}
