/**
 * How a page of a recrawl differs from the crawl before. new: that has no result of it. changed: its title or Markdown is
 * another. gone: it was not found (404, 410), twice, or is no page of the crawl any more: it leads to another, has the
 * content of another, or says that it is not to be stored.
 */
export const RECRAWL_CHANGES = ['new', 'changed', 'same', 'gone'] as const;
export type RecrawlChange = (typeof RECRAWL_CHANGES)[number];
