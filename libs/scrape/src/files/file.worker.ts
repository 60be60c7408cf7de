import { chunkMarkdown, fullText, readFile } from '@app/content';
import type { Chunk } from '@app/contracts';
import { findParts } from '../content/page-parts.js';
import { findLinks } from '../content/find-links.js';
import { runSteps } from '../threads/run-steps.js';
import type { FileReadResult, ReadTask } from './file-task.js';

/** A document file as text. */
async function read(task: ReadTask): Promise<FileReadResult> {
  const { body, hint, maxPages, budgetMs, maxCpuMs, pictures, outputs } = task;
  const { filePages = false, pageMarkers = false } = outputs;
  const listed = { pages: filePages !== false, sources: filePages === 'sources', pageMarkers };
  const options = { hint, maxPages, budgetMs, maxCpuMs, ...listed };
  const result = await readFile(body, { ...options, ...(pictures ? { pictures } : {}) });
  if (!result.ok) return { result, found: [] };
  const { file, pageStarts = [] } = result;
  const { markdown, title, links = [] } = file;
  return {
    result: { ok: true, file },
    ...(outputs.chunks ? { chunks: chunkMarkdown(markdown, { pageStarts }) } : {}),
    ...(outputs.fullText ? { text: fullText(markdown, title === undefined ? {} : { title }) } : {}),
    found: task.crawl ? findLinks(links, task.crawl) : [],
  };
}

/** The text of a scanned document, as a model read it, in chunks. */
function chunk({ markdown }: { readonly markdown: string }): Chunk[] {
  return chunkMarkdown(markdown);
}

const steps = { read, chunk, parts: findParts };
export type FileSteps = typeof steps;
export default runSteps(steps);
