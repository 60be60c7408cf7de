import type { groundValue, mergeAnswers, pageParts, PartAnswer } from '@app/content';
import type { AnswerSchema } from '@app/providers';
import type { CpuClock } from '../threads/cpu-watch.js';
import type { Checked } from './checked.js';

export type PageParts = ReturnType<typeof pageParts>;
export type GroundedAnswer = ReturnType<typeof groundValue>;

/** A caller's schema as its JSON: threads know those they have compiled by it. */
export type SchemaText = string;

/**
 * The steps of reading a page that take long for a long page, a long answer or a hostile schema, each
 * with what a thread is given and what comes back. Texts are copied, as they are, to the thread; a
 * part of a page goes there once for each answer about it, the whole page only to be cut. A step knows
 * nothing of those before it, so a thread that was lost takes nothing along.
 */
export interface ReadingSteps {
  /** Parts of a page, or of a part, that a model is shown. */
  readonly cut: {
    readonly task: { readonly markdown: string; readonly maxTokens: number };
    readonly result: PageParts;
  };
  /** What a model is asked for by a schema. */
  readonly prepare: {
    readonly task: { readonly schema: SchemaText };
    readonly result: PreparedSchema;
  };
  /** A model's answer: whether it is valid, and of it what the part of the page says. */
  readonly check: { readonly task: AnswerToCheck; readonly result: Checked<GroundedAnswer> };
  /** One value of what was found in all parts. */
  readonly join: {
    readonly task: { readonly schema: SchemaText; readonly answers: readonly PartAnswer[] };
    readonly result: JoinedAnswers;
  };
}

export type ReadingStep = keyof ReadingSteps;

export type ReadingTask = {
  [Step in ReadingStep]: {
    readonly step: Step;
    /** Of a step whose CPU time is bounded. */
    readonly clock?: CpuClock;
  } & ReadingSteps[Step]['task'];
}[ReadingStep];

export type ReadingResult = ReadingSteps[ReadingStep]['result'];

export type PreparedSchema =
  | { readonly ok: true; readonly answer: AnswerSchema; readonly answerText: string }
  /** Completes "`schema` …". */
  | { readonly ok: false; readonly problem: string };

export interface AnswerToCheck {
  readonly schema: SchemaText;
  readonly answer: string;
  /** What the model was shown of the page. */
  readonly part: string;
  readonly title: string;
  readonly url: string;
}

export type JoinedAnswers =
  | { readonly ok: true; readonly value: unknown; readonly quotes: Merged['quotes'] }
  /** What the schema refuses, first of all. */
  | { readonly ok: false; readonly error: string };

type Merged = ReturnType<typeof mergeAnswers>;
