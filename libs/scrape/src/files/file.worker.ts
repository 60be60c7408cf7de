import '../threads/low-priority.js';
import { chunkMarkdown, readFile } from '@app/content';
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
  const { markdown, links = [] } = result.file;
  return {
    result,
    ...(task.chunks ? { chunks: chunkMarkdown(markdown) } : {}),
    found: task.crawl ? findLinks(links, task.crawl) : [],
  };
}
