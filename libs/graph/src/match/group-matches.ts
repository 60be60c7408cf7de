import type { MatchCounts } from './business-table.js';
import type { CandidatePair } from './candidate-pairs.js';
import { joinSubjects, type MatchSubject } from './match-record.js';
import { scoreSubjects } from './score-match.js';

/** Pairs below this score do not match even when what else is known of both businesses is added. */
const MIN_LINK_SCORE = 2;

interface Group {
  readonly members: readonly number[];
  readonly subject: MatchSubject;
}

/**
 * Joins records of one business into groups, the most certain pairs first. A pair joins two groups only when all that is
 * known of the one matches all that is known of the other: one wrong pair does not chain a whole company together.
 */
export function groupMatches(
  subjects: readonly MatchSubject[],
  pairs: readonly CandidatePair[],
  counts: MatchCounts = {},
): readonly (readonly number[])[] {
  const groups: Group[] = subjects.map((subject, at) => ({ members: [at], subject }));
  for (const [one, other] of mostCertainFirst(subjects, pairs, counts)) {
    const [a, b] = [groups[one], groups[other]];
    if (a === undefined || b === undefined || a === b) continue;
    if (!scoreSubjects(a.subject, b.subject, counts).isMatch) continue;
    const joined = {
      members: [...a.members, ...b.members].toSorted((x, y) => x - y),
      subject: joinSubjects(a.subject, b.subject),
    };
    for (const at of joined.members) groups[at] = joined;
  }
  return [...new Set(groups)].map(({ members }) => members);
}

function mostCertainFirst(
  subjects: readonly MatchSubject[],
  pairs: readonly CandidatePair[],
  counts: MatchCounts,
): readonly CandidatePair[] {
  const links: { readonly pair: CandidatePair; readonly score: number }[] = [];
  for (const pair of pairs) {
    const [a, b] = [subjects[pair[0]], subjects[pair[1]]];
    if (a === undefined || b === undefined) continue;
    const { score } = scoreSubjects(a, b, counts);
    if (score >= MIN_LINK_SCORE) links.push({ pair, score });
  }
  links.sort((x, y) => y.score - x.score || x.pair[0] - y.pair[0] || x.pair[1] - y.pair[1]);
  return links.map(({ pair }) => pair);
}
