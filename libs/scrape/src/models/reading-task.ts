import type { groundValue, mergeAnswers, PartAnswer } from '@app/content';
import type { CitableSource } from '@app/search';
import type { AnswerSchema } from '@app/providers';

export type GroundedAnswer = ReturnType<typeof groundValue>;

/** A caller's schema as JSON: threads cache compiled schemas by it. */
export type SchemaText = string;

export interface PageToCut {
  readonly markdown: string;
  readonly maxTokens: number;
}

/** The answers about all parts of a page. */
export interface AnswersToJoin {
  readonly schema: SchemaText;
  readonly answers: readonly PartAnswer[];
}

/** A model's answer with the sources that it may cite. */
export interface AnswerToCite {
  readonly answer: string;
  readonly question: string;
  readonly sources: readonly CitableSource[];
}

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
