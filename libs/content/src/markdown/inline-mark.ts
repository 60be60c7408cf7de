/** Emphasis by its Markdown delimiter. */
export type EmphasisDelimiter = '**' | '*' | '~~';

/** Emphasis or a link that is open. */
export interface InlineMark {
  readonly delimiter: EmphasisDelimiter | '[';
  /** Where its opening delimiter is in the parts; -1 while nothing is written inside it. */
  part: number;
  /** Has no effect: nested in its like, or its delimiters would not be read as such here. */
  isMuted: boolean;
  /** A link that an earlier block of the same link has shown already. */
  isSpent: boolean;
  readonly target: string;
  readonly title: string;
}
