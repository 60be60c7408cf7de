import { readAnswer, withoutThoughts } from '@app/content';
import { citedAnswer, type CitationCheck } from '@app/search';
import { memberOf } from './checked.js';
import type { AnswerToCite } from './reading-task.js';

/** A model without JSON mode may send plain text. Null: its text has no answer. */
export function checkCitations({ answer, question, sources }: AnswerToCite): CitationCheck | null {
  const json = readAnswer(answer);
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
  const said = isObject ? memberOf(json, 'answer') : withoutThoughts(answer);
  if (typeof said !== 'string' || said.trim() === '' || /^[{`]/.test(said.trim())) return null;
  return citedAnswer(said, question, sources);
}
