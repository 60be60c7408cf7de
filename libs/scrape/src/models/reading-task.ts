import type { groundValue, mergeAnswers, PageParts, PartAnswer } from '@app/content';
import type { CitableSource, CitationCheck } from '@app/search';
import type { AnswerSchema } from '@app/providers';
import type { CpuClock } from '../threads/cpu-watch.js';
import type { Checked } from './checked.js';

export type GroundedAnswer = ReturnType<typeof groundValue>;

/** A caller's schema as JSON: threads cache compiled schemas by it. */
export type SchemaText = string;

/**
 * The steps of reading a page that may take long, for a long page, a long answer or a hostile schema, each with
 * its input and result. Texts are copied to the thread unchanged; a part of a page is copied once per answer
 * about it, the whole page only to be cut. A step has no state of those before it, so a lost thread loses
 * nothing else.
 */
export interface ReadingSteps {
  /** Parts of a page, or of a part, for the model. */
  readonly cut: {
    readonly task: { readonly markdown: string; readonly maxTokens: number };
    readonly result: PageParts;
  };
  /** The JSON Schema sent to a model. */
  readonly prepare: {
    readonly task: { readonly schema: SchemaText };
    readonly result: PreparedSchema;
  };
  /** The check of a model's answer: whether it is valid, and the values that the part of the page contains. */
  readonly check: { readonly task: AnswerToCheck; readonly result: Checked<GroundedAnswer> };
  /** One value joined from the results of all parts. */
  readonly join: {
    readonly task: { readonly schema: SchemaText; readonly answers: readonly PartAnswer[] };
    readonly result: JoinedAnswers;
  };
  /** The sources of an answer as a model is shown them. */
  readonly source: {
    readonly task: { readonly sources: readonly CitableSource[] };
    readonly result: readonly CitableSource[];
  };
  /** The sentences of a model's answer that rest on what they cite; null: the model's text has no answer. */
  readonly cite: {
    readonly task: {
      readonly answer: string;
      readonly question: string;
      readonly sources: readonly CitableSource[];
    };
    readonly result: CitationCheck | null;
  };
}

export type ReadingStep = keyof ReadingSteps;

export type ReadingTask = {
  [Step in ReadingStep]: {
    readonly step: Step;
    /** Of a step with a CPU time limit. */
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
  /** The part of the page in the model's prompt. */
  readonly part: string;
  readonly title: string;
  readonly url: string;
}

export type JoinedAnswers =
  | { readonly ok: true; readonly value: unknown; readonly quotes: Merged['quotes'] }
  /** The first violation of the schema. */
  | { readonly ok: false; readonly error: string };

type Merged = ReturnType<typeof mergeAnswers>;
