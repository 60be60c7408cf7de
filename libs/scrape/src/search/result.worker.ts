import '../threads/low-priority.js';
import { readBusinesses } from '@app/connectors';
import { readSearchResults } from '@app/search';
import type { ResultReading, ResultTask } from './result-threads.js';

/** Runs in a result thread: takes a page of results, returns what it says. */
export default function runResultTask(task: ResultTask): ResultReading {
  return task.kind === 'businesses' ? readBusinesses(task) : readSearchResults(task);
}
