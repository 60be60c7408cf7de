import { toResultDocument, type Format, type PageDocument } from '@app/contracts';
import type { ScrapeRequest, ScrapeResult } from './scrape.dto.js';

/** The scrape result of the specification, with only what was asked for. */
export function presentScrape(page: PageDocument, request: ScrapeRequest): ScrapeResult {
  const { includeHtml } = request;
  const formats = request.formats ?? undefined;
  const { rawHtml, links, markdown, cascade, ...document } = toResultDocument(page);
  const outputs: Record<Format, unknown> = { markdown, rawHtml, links };
  const wantsMarkdown = formats === undefined || formats.includes('markdown');
  return {
    ...document,
    ...(wantsMarkdown && markdown !== undefined ? { markdown } : {}),
    ...(includeHtml && rawHtml !== undefined ? { html: rawHtml } : {}),
    ...(formats
      ? { formats: Object.fromEntries(formats.map((name) => [name, outputs[name]])) }
      : {}),
    cascade: { level: cascade.level, attempts: [...cascade.attempts] },
    unblock: { attempts: [] },
  };
}
