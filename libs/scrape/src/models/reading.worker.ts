import '../threads/low-priority.js';
import { pageParts } from '@app/content';
import { withoutOrders } from '@app/search';
import { enterThread } from '../threads/cpu-watch.js';
import { checkCitations } from './cited-answers.js';
import type { ReadingResult, ReadingTask } from './reading-task.js';
import { checkAnswer, joinAnswers, prepareSchema } from './schema-reading.js';

/** Runs in a reading thread, which is ended when a step exceeds its time or memory limit. */
export default function runReadingTask(task: ReadingTask): ReadingResult {
  if (task.clock !== undefined) enterThread(task.clock);
  switch (task.step) {
    case 'cut':
      return pageParts(task.markdown, task.maxTokens);
    case 'prepare':
      return prepareSchema(task.schema);
    case 'check':
      return checkAnswer(task);
    case 'join':
      return joinAnswers(task);
    case 'source':
      return task.sources.map(withoutOrders);
    case 'cite':
      return checkCitations(task);
  }
}
