import { type PageIdentity } from '../entity/page-identity.js';
import { type ListingSurvey } from '../page-text/survey-page.js';
import { type PageLine } from '../page-text/page-line.js';

/** Input of the finders of the text layers. */
export interface TextPage {
  readonly survey: ListingSurvey;
  readonly identity: PageIdentity;
  /** A page about a business on another site: its head and foot speak for the directory. */
  readonly isDirectory: boolean;
}

/** Whether a line can speak for the business of the page. */
export function isOwn(
  { region }: PageLine | { readonly region: PageLine['region'] },
  page: TextPage,
): boolean {
  if (region === 'other') return false;
  return !(page.isDirectory && (region === 'head' || region === 'foot' || region === 'nav'));
}

export const ownLines = (page: TextPage): readonly PageLine[] =>
  page.survey.lines.filter((line) => isOwn(line, page));

/**
 * A value behind its label: in the same line (`Capacity: 250`), in the next cell or the next line.
 */
export function labelled(
  lines: readonly PageLine[],
  label: RegExp,
  maxLabelChars = 40,
): { readonly value: string; readonly line: PageLine } | undefined {
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index];
    const match = line === undefined ? null : label.exec(line.text.slice(0, maxLabelChars + 20));
    if (line === undefined || match === null) continue;
    const rest = line.text.slice(match.index + match[0].length).replace(/^[\s:#.–-]+/, '');
    if (rest !== '') return { value: rest, line };
    const next = lines[index + 1];
    if (next !== undefined) return { value: next.text, line: next };
  }
  return undefined;
}
