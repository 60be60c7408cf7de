import { extractPage } from '@app/content';
import type { ContentResult, ContentTask } from './content-task.js';
import { findLinks } from './find-links.js';

/** Runs in a content thread: bytes in, content and judged links out. */
export default function convert(task: ContentTask): ContentResult {
  const content = extractPage(
    { body: task.body, contentType: task.contentType, url: task.url, bodyTruncated: task.isCut },
    { markdown: task.markdown, links: task.links || task.crawl !== null, rawHtml: task.rawHtml },
  );
  const found = task.crawl ? findLinks(content.links ?? [], task.crawl) : [];
  if (task.links) return { content, found };
  const { links: _unused, ...rest } = content;
  return { content: rest, found };
}
