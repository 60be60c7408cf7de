import type { ErrorClass, FetchMethod } from '@app/contracts';

/**
 * One page of the fixture site that something could go wrong with, and what a scrape of it must
 * answer. Whatever the page, the answer comes by the deadline, is never 500, and never a success
 * without content or a reason.
 */
export interface Trap {
  /** On the fixture site, with its query; names the trap. */
  readonly path: string;
  /** What the page does, for the reader of a failure. */
  readonly title: string;
  /** Fields of POST /v1/scrape beside `url`. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Several: any of them is right, and `title` says on what it depends. */
  readonly expect: TrapAnswer | readonly TrapAnswer[];
  /** `plain`: no browser may be needed; `headless`: nothing below a browser brings the content. */
  readonly needs: 'plain' | 'headless' | 'any';
  /** Takes so much of the machine that pages beside it would miss their own deadlines. */
  readonly isHeavy?: boolean;
}

export type TrapAnswer = TrapPage | TrapFailure;

export interface TrapPage {
  readonly status: 200;
  readonly fetchMethod?: FetchMethod;
  /** Any of these; null means complete. Absent: complete. */
  readonly partialReasons?: readonly (string | null)[];
  readonly markdownIncludes?: readonly string[];
  readonly markdownExcludes?: readonly string[];
  /** Path of the address it ends at, when that is another. */
  readonly endsAt?: string;
}

export interface TrapFailure {
  readonly status: 422;
  /** Class of the last attempt: any of these. Absent: an action failed, which is no class. */
  readonly errorClasses?: readonly ErrorClass[];
  readonly errorIncludes?: string;
  /** The action that could not be done. */
  readonly action?: { readonly index: number; readonly type: string };
}

/** The trap's answers as a list. */
export function answersOf({ expect }: Trap): readonly TrapAnswer[] {
  return 'status' in expect ? [expect] : expect;
}

/** A complete page with these texts. */
export function complete(...markdownIncludes: readonly string[]): TrapPage {
  return { status: 200, markdownIncludes };
}

/** A page that is served with a reason; null among them: or complete. */
export function partial(
  partialReasons: readonly (string | null)[],
  ...markdownIncludes: readonly string[]
): TrapPage {
  return { status: 200, partialReasons, markdownIncludes };
}

export function trapFailure(...errorClasses: readonly ErrorClass[]): TrapFailure {
  return { status: 422, errorClasses };
}
