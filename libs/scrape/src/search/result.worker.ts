import '../threads/low-priority.js';
import { readSearchResults, type PageReading, type SearchResultPage } from '@app/search';

/** Runs in a result thread: takes a page of results, returns what it says. */
export default function runResultTask(page: SearchResultPage): PageReading {
  return readSearchResults(page);
}
