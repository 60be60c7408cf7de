export { BUSINESSES, type MatchCounts } from './business-table.js';
export {
  CANDIDATE_KINDS,
  candidateKeys,
  type CandidateKey,
  type CandidateKind,
  MIN_NAME_SIMILARITY,
} from './candidate-keys.js';
export { candidatePairs, type CandidatePair } from './candidate-pairs.js';
export { groupMatches } from './group-matches.js';
export {
  joinSubjects,
  type MatchRecord,
  type MatchSubject,
  prepareRecord,
} from './match-record.js';
export {
  type Agreement,
  fieldRule,
  type FieldRule,
  type MatchReason,
  type MatchResult,
  type MatchTable,
  scoreByTable,
} from './match-table.js';
export { nameKey, nameKeys } from './name-key.js';
export { foldText, wordsIn } from './names/fold-text.js';
export { registrableDomain } from './registrable-domain.js';
export { scoreMatch, scoreSubjects } from './score-match.js';
export { isMisspelling, trigramSimilarity, trigramsOf } from './text-similarity.js';
