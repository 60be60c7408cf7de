import type { PageFacts } from '@app/contracts';

/** The input of {@link judgePage}. */
export interface JudgeInput {
  readonly statusCode: number;
  /** Names in lower case; repeated ones joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Address after redirects. */
  readonly url: string;
  readonly facts: PageFacts;
  /** The source is that of the rendered page. */
  readonly isRendered: boolean;
  /** Length of the body after decompression. */
  readonly bytes: number;
  /** Rendering pages of this kind is known to add nothing: what is only guessed to be missing is not. @default false */
  readonly isKnownWhole?: boolean;
}

/** A page as signatures read it: every kind of text joined once. */
export interface PageEvidence extends JudgeInput {
  readonly host: string;
  readonly path: string;
  /** Title and visible text, typographic apostrophes made plain. */
  readonly words: string;
  readonly noscript: string;
  /** Addresses of scripts, one a line. */
  readonly scriptSrcs: string;
  /** Inline scripts, as far as they are kept. */
  readonly inline: string;
  /**
   * Addresses of scripts, frames and forms and inline scripts: all that would run or be requested.
   */
  readonly code: string;
  readonly marks: ReadonlySet<string>;
  readonly cookieNames: ReadonlySet<string>;
  /** Little enough text that a wall is all there is: no article is judged by what it mentions. */
  readonly isSmall: boolean;
}

/** Visible characters, white space apart; the wordiest block pages have about 1,500. */
const MAX_WALL_CHARS = 2_000;

export function gatherEvidence(input: JudgeInput): PageEvidence {
  const { facts, headers } = input;
  const url = URL.parse(input.url);
  const scriptSrcs = facts.scriptSrcs.join('\n');
  const inline = facts.inlineScripts.join('\n');
  const others = [...facts.frameSrcs, ...facts.formActions].join('\n');
  return {
    ...input,
    host: url?.hostname ?? '',
    path: url?.pathname ?? '',
    words: plainQuotes(`${facts.title}\n${facts.text}`),
    noscript: plainQuotes(facts.noscriptText),
    scriptSrcs,
    inline,
    code: `${scriptSrcs}\n${others}\n${inline}`,
    marks: new Set(facts.marks),
    cookieNames: cookieNamesOf(headers['set-cookie']),
    isSmall: facts.visibleChars <= MAX_WALL_CHARS,
  };
}

const plainQuotes = (text: string): string => text.replaceAll('’', "'");

/** Names of the cookies in joined Set-Cookie headers; the comma in a date has no name after it. */
function cookieNamesOf(header: string | undefined): ReadonlySet<string> {
  const names = (header ?? '').matchAll(/(?:^|,\s*)([^=;,\s]+)=/g);
  return new Set([...names].map(([, name]) => name ?? ''));
}

export const hasMark = ({ marks }: PageEvidence, ...names: readonly string[]): boolean =>
  names.some((name) => marks.has(name));
