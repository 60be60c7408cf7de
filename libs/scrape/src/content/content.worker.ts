import { readCompanyPage, type CompanyPage } from '@app/company';
import { extractPage, fullText, pageBlocks, type PageContent } from '@app/content';
import { writeScanInput } from '../tech/scan-input.js';
import { runSteps } from '../threads/run-steps.js';
import type { ContentResult, ContentTask } from './content-task.js';
import { findLinks } from './find-links.js';

/** Takes bytes, returns content and the links with their scope decisions. */
function convert(task: ContentTask): ContentResult {
  const { outputs, crawl, scan } = task;
  const {
    allLinks = [],
    nofollowLinks,
    read: company,
    ...content
  } = extractPage(
    { body: task.body, contentType: task.contentType, url: task.url, bodyTruncated: task.isCut },
    {
      ...outputs,
      rawHtml: outputs.rawHtml === true || scan !== undefined,
      // The links come from the whole page, not only from the part whose text is kept.
      allLinks: crawl !== null,
      ...(crawl?.robotsAgent ? { robotsAgent: crawl.robotsAgent } : {}),
      content: task.options,
      ...(outputs.company ? { read: readCompanyPage } : {}),
      maxCpuMs: task.maxCpuMs,
    },
  );
  return {
    content: outputs.rawHtml ? content : withoutSource(content),
    found: crawl ? findLinks(allLinks, crawl, nofollowLinks) : [],
    ...(company === undefined ? {} : { company: company as CompanyPage }),
    ...packed(task, content),
    ...(outputs.blocks ? { blocks: pageBlocks(content.markdown ?? '') } : {}),
    ...(outputs.fullText ? { text: fullText(content.markdown ?? '', content.metadata) } : {}),
  };
}

/** The source was only for the scan: it does not go back to the event loop. */
function withoutSource({ rawHtml: _, ...content }: PageContent): PageContent {
  return content;
}

function packed(
  { scan, url }: ContentTask,
  { rawHtml: html }: PageContent,
): Pick<ContentResult, 'scanInput'> {
  if (scan === undefined || html === undefined) return {};
  return { scanInput: writeScanInput({ ...scan, url, html }) };
}

export const contentSteps = { convert };
export default runSteps(contentSteps);
