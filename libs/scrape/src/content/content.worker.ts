import { readCompanyPage, type CompanyPage } from '@app/company';
import {
  extractPage,
  fullText,
  judgePage,
  pageBlocks,
  type JudgedContent,
  type PageContent,
} from '@app/content';
import type { MarkdownParts, PageOutputs } from '@app/contracts';
import { writeScanInput } from '../tech/scan-input.js';
import { runSteps } from '../threads/run-steps.js';
import type { ContentResult, ContentTask, PageReadings, PageVerdict } from './content-task.js';
import { findLinks } from './find-links.js';
import { findParts, findStoredParts } from './page-parts.js';
import { besidePacked, contentKeyOf, packOutputs } from './pack-content.js';

/** Takes bytes, returns content and the links with their scope decisions. */
function convert(task: ContentTask): ContentResult {
  const { outputs, crawl, scan } = task;
  const {
    allLinks = [],
    nofollowLinks,
    read: company,
    facts,
    visibleChars: _,
    ...content
  } = extractPage(
    { body: task.body, contentType: task.contentType, url: task.url, bodyTruncated: task.isCut },
    {
      ...outputs,
      markdown: outputs.markdown === true || outputs.contentKey === true,
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
    content: kept(task, content),
    found: crawl ? findLinks(allLinks, crawl, nofollowLinks) : [],
    ...(company === undefined ? {} : { company: company as CompanyPage }),
    ...readingsOf(task, content),
    ...(task.judged && content.kind !== 'binary'
      ? { verdict: verdictOn(task.judged, task.url, facts) }
      : {}),
  };
}

/** What is packed, and a source that was only for the scan, do not go back to the event loop as values. */
function kept({ outputs }: ContentTask, content: JudgedContent): JudgedContent {
  if (outputs.packed) return besidePacked(content);
  const { rawHtml: _, ...rest } = content;
  return outputs.rawHtml ? content : rest;
}

function readingsOf({ outputs, scan, url }: ContentTask, content: JudgedContent): PageReadings {
  const { markdown = '', rawHtml: html, metadata } = content;
  return {
    ...(scan && html !== undefined ? { scanInput: writeScanInput({ ...scan, url, html }) } : {}),
    ...(outputs.blocks ? { blocks: pageBlocks(markdown) } : {}),
    ...(outputs.fullText ? { text: fullText(markdown, metadata) } : {}),
    ...(outputs.packed
      ? { packed: packOutputs(outputs, content, partsOf(outputs, content, url)) }
      : {}),
    ...contentKeyOf(outputs, content),
  };
}

function partsOf(
  outputs: PageOutputs,
  { markdown = '', metadata: { language } }: JudgedContent,
  url: string,
): MarkdownParts {
  return findParts({ markdown, url, language, wanted: outputs });
}

function verdictOn(
  judged: NonNullable<ContentTask['judged']>,
  url: string,
  facts: PageContent['facts'],
): PageVerdict {
  const { visibleChars, contentChars, holes, scripts, frameSrcs, metaRefresh } = facts;
  const { passwordFields } = facts;
  return {
    ...judgePage({ ...judged, url, facts }),
    visibleChars,
    contentChars,
    passwordFields,
    holes: holes.length,
    mayBringMore: scripts > 0 || frameSrcs.length > 0 || metaRefresh !== null,
  };
}

/** `parts`: of a page that was converted before; `storedParts`: of one that a job stored. */
export const contentSteps = { convert, parts: findParts, storedParts: findStoredParts };
export default runSteps(contentSteps);
