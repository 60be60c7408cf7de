import '../threads/low-priority.js';
import { chunkMarkdown, fullText, readFile } from '@app/content';
import { findLinks } from '../content/find-links.js';
import { enterThread, leaveThread } from '../threads/cpu-watch.js';
import type { FileTask, FileThreadResult, FileReadResult, ReadTask } from './file-task.js';

/** Runs in a file thread, which is ended when it exceeds its time or memory limit. */
export default async function runFileTask(task: FileTask): Promise<FileThreadResult> {
  const { clock } = task;
  if (clock === undefined) return run(task);
  enterThread(clock);
  try {
    return await run(task);
  } finally {
    leaveThread(clock);
  }
}

async function run(task: FileTask): Promise<FileThreadResult> {
  switch (task.kind) {
    case 'read':
      return read(task);
    case 'chunk':
      return chunkMarkdown(task.markdown);
  }
}

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
