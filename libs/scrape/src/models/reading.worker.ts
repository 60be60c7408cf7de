import { pageParts } from '@app/content';
import { withoutOrders, type CitableSource } from '@app/search';
import { runSteps } from '../threads/run-steps.js';
import { checkCitations } from './cited-answers.js';
import type { PageToCut, SchemaText } from './reading-task.js';
import { checkAnswer, joinAnswers, prepareSchema } from './schema-reading.js';

/**
 * The steps of reading a page that may take long, for a long page, a long answer or a hostile schema. Texts are
 * copied to the thread unchanged; a part of a page is copied once per answer about it, the whole page only to be cut.
 * A step has no state of those before it, so a lost thread loses nothing else.
 */
const steps = {
  /** Parts of a page, or of a part, for the model. */
  cut: ({ markdown, maxTokens }: PageToCut) => pageParts(markdown, maxTokens),
  /** The JSON Schema sent to a model. */
  prepare: ({ schema }: { readonly schema: SchemaText }) => prepareSchema(schema),
  /** The check of a model's answer: whether it is valid, and the values that the part of the page contains. */
  check: checkAnswer,
  /** One value joined from the results of all parts. */
  join: joinAnswers,
  /** The sources of an answer as a model is shown them. */
  source: ({ sources }: { readonly sources: readonly CitableSource[] }) =>
    sources.map(withoutOrders),
  /** The sentences of a model's answer that rest on what they cite; null: the model's text has no answer. */
  cite: checkCitations,
};

export type ReadingSteps = typeof steps;
export default runSteps(steps);
