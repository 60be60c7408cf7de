import '../threads/low-priority.js';
import { chunkMarkdown, fullText, readFile } from '@app/content';
import { findLinks } from '../content/find-links.js';
import type { FileTask, FileThreadResult, FileReadResult, ReadTask } from './file-task.js';

/** Runs in a file thread, which is ended when it exceeds its time or memory limit. */
export default async function runFileTask(task: FileTask): Promise<FileThreadResult> {
  switch (task.kind) {
    case 'read':
      return read(task);
    case 'chunk':
      return chunkMarkdown(task.markdown);
  }
}

async function read(task: ReadTask): Promise<FileReadResult> {
  const { body, maxPages, budgetMs, pictures } = task;
  const result = await readFile(body, { maxPages, budgetMs, ...(pictures ? { pictures } : {}) });
  if (!result.ok) return { result, found: [] };
  const { markdown, title, links = [] } = result.file;
  return {
    result,
    ...(task.chunks ? { chunks: chunkMarkdown(markdown) } : {}),
    ...(task.fullText ? { text: fullText(markdown, title === undefined ? {} : { title }) } : {}),
    found: task.crawl ? findLinks(links, task.crawl) : [],
  };
}
