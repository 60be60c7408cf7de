import type { PageDocument } from '@app/contracts';
import { isMarkdownType } from '@app/content';
import { headerLinks, ownMarkdownUrl, termsUrl } from '@app/uses';
import type { PageRequest, PageResult } from './page-result.js';

type PageDone = Extract<PageResult, { kind: 'document' }>;

/**
 * The page in Markdown that a page of HTML names, where the caller prefers Markdown; null: there is none to fetch.
 * Only of the page's own origin, whose headers and rules the request has.
 */
export function twinUrl(page: PageResult, { fetch }: PageRequest): string | null {
  if (page.kind !== 'document' || fetch.preferMarkdown !== true) return null;
  const { url, contentType, metadata, file } = page.document;
  const { markdownUrl } = metadata;
  if (markdownUrl === undefined || file !== undefined || isMarkdownType(contentType)) return null;
  const isOther = markdownUrl !== url && new URL(markdownUrl).origin === new URL(url).origin;
  return isOther ? markdownUrl : null;
}

/**
 * The page with the text of its twin, as if its site had sent that; all else is of the page itself. A twin that is
 * missing, incomplete or no Markdown changes nothing.
 */
export function withTwin(page: PageDone, twin: PageResult): PageDone {
  if (twin.kind !== 'document' || !isMarkdownType(twin.document.contentType)) return page;
  if (twin.document.statusCode >= 300 || twin.document.partialReason !== undefined) return page;
  const { text, blocks, contentKey, packed } = twin;
  return {
    ...page,
    ...{ text, blocks, contentKey, packed },
    isNoStore: page.isNoStore || twin.isNoStore,
    // They confirm the page alone.
    validators: {},
    document: joined(page.document, twin.document),
  };
}

/** The page in Markdown that a Link header names. */
export function headerMarkdownUrl(header: string | undefined, url: string): string | undefined {
  const links = headerLinks(header).filter(
    ({ relations, type }) => relations.has('alternate') && isMarkdownType(type),
  );
  return ownMarkdownUrl(links.map(({ target }) => termsUrl(target, url)));
}

function joined(page: PageDocument, twin: PageDocument): PageDocument {
  const { partialReason: _, ...kept } = page;
  const { contentType, markdown, rawHtml, html, links } = twin;
  const made = Object.entries({ markdown, rawHtml, html, links });
  return {
    ...kept,
    contentType,
    ...Object.fromEntries(made.filter(([, value]) => value !== undefined)),
    latencyMs: page.latencyMs + twin.latencyMs,
    cascade: {
      ...page.cascade,
      attempts: [...page.cascade.attempts, ...twin.cascade.attempts],
      unblock: [...page.cascade.unblock, ...twin.cascade.unblock],
    },
  };
}
