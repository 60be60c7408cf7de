import { BUSINESSES, type MatchCounts } from './business-table.js';
import { type MatchRecord, type MatchSubject, prepareRecord } from './match-record.js';
import { type MatchResult, scoreByTable } from './match-table.js';

/**
 * Whether two records are of one business, with the reasons. The same for (a, b) and (b, a). Compare one record with many
 * by `prepareRecord` and `scoreSubjects`.
 */
export function scoreMatch(a: MatchRecord, b: MatchRecord, counts: MatchCounts = {}): MatchResult {
  return scoreSubjects(prepareRecord(a), prepareRecord(b), counts);
}

export function scoreSubjects(
  a: MatchSubject,
  b: MatchSubject,
  counts: MatchCounts = {},
): MatchResult {
  return scoreByTable(BUSINESSES, [a, b], counts);
}
