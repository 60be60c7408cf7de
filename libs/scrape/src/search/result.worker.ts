import '../threads/low-priority.js';
import { readResults, type PageReading, type ResultPage } from '@app/search';

/** Runs in a result thread: takes a page of results, returns what it says. */
export default function runResultTask(page: ResultPage): PageReading {
  return readResults(page);
}
