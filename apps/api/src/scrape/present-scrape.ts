import {
  toResultDocument,
  type ActionResult,
  type Format,
  type PageDocument,
} from '@app/contracts';
import type { ScrapeRequest, ScrapeResult } from './scrape.dto.js';

/**
 * The scrape result of the specification, with only what was asked for.
 * @param screenshot address or data URI, when one was made
 */
export function presentScrape(
  page: PageDocument,
  request: ScrapeRequest,
  screenshot: string | undefined,
): ScrapeResult {
  const { includeHtml } = request;
  const formats = request.formats ?? undefined;
  const { rawHtml, links, markdown, ...document } = toResultDocument(page);
  const outputs: Record<Format, unknown> = { markdown, rawHtml, links, screenshot };
  const wantsMarkdown = formats === undefined || formats.includes('markdown');
  return {
    ...(document as Omit<ScrapeResult, 'markdown' | 'html' | 'formats' | 'actions'>),
    ...(wantsMarkdown && markdown !== undefined ? { markdown } : {}),
    ...(includeHtml && rawHtml !== undefined ? { html: rawHtml } : {}),
    ...(formats
      ? { formats: Object.fromEntries(formats.map((name) => [name, outputs[name]])) }
      : {}),
    ...(page.actionResults ? { actions: presentActions(page.actionResults) } : {}),
  };
}

function presentActions(results: readonly ActionResult[]): NonNullable<ScrapeResult['actions']> {
  const of = (type: ActionResult['type']) =>
    results
      .filter((result) => result.type === type)
      .map(({ contentType, base64 }) => `data:${contentType};base64,${base64}`);
  return { screenshots: of('screenshot'), pdfs: of('pdf') };
}
