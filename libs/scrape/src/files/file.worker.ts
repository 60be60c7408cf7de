import { chunkMarkdown, fullText, readFile } from '@app/content';
import type { Chunk } from '@app/contracts';
import { findLinks } from '../content/find-links.js';
import { runSteps } from '../threads/run-steps.js';
import type { FileReadResult, ReadTask } from './file-task.js';

/** PDF or DOCX as text. */
async function read(task: ReadTask): Promise<FileReadResult> {
  const { body, maxPages, budgetMs, maxCpuMs, pictures, outputs } = task;
  const bounds = { maxPages, budgetMs, maxCpuMs };
  const result = await readFile(body, { ...bounds, ...(pictures ? { pictures } : {}) });
  if (!result.ok) return { result, found: [] };
  const { markdown, title, links = [] } = result.file;
  return {
    result,
    ...(outputs.chunks ? { chunks: chunkMarkdown(markdown) } : {}),
    ...(outputs.fullText ? { text: fullText(markdown, title === undefined ? {} : { title }) } : {}),
    found: task.crawl ? findLinks(links, task.crawl) : [],
  };
}

/** The text of a scanned document, as a model read it, in chunks. */
function chunk({ markdown }: { readonly markdown: string }): Chunk[] {
  return chunkMarkdown(markdown);
}

const steps = { read, chunk };
export type FileSteps = typeof steps;
export default runSteps(steps);
