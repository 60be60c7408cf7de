import { extractPage } from '@app/content';
import type { ContentResult, ContentTask } from './content-task.js';
import { findLinks } from './find-links.js';

/** Runs in a content thread: bytes in, content and judged links out. */
export default function convert(task: ContentTask): ContentResult {
  const { crawl } = task;
  const {
    allLinks = [],
    nofollowLinks,
    ...content
  } = extractPage(
    { body: task.body, contentType: task.contentType, url: task.url, bodyTruncated: task.isCut },
    {
      markdown: task.markdown,
      links: task.links,
      rawHtml: task.rawHtml,
      listing: task.listing,
      branding: task.branding,
      // What is kept of a page does not bound where it leads.
      allLinks: crawl !== null,
      ...(crawl?.robotsAgent ? { robotsAgent: crawl.robotsAgent } : {}),
      content: task.options,
    },
  );
  return { content, found: crawl ? findLinks(allLinks, crawl, nofollowLinks) : [] };
}
