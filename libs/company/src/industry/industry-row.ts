/** One industry and the words by which a company's texts show that it is in it. */
export interface IndustryRow {
  /** NAICS 2022, six digits. */
  readonly naics: string;
  /** Its title there. */
  readonly title: string;
  /** Say what a company is: one in a title is nearly enough. */
  readonly strong: readonly string[];
  /** Go with it, but with others as well: they decide between industries and prove none. */
  readonly weak: readonly string[];
}

/** @param strong and `weak`: in lower case, singular, separated by commas */
export function row(naics: string, title: string, strong: string, weak: string): IndustryRow {
  return { naics, title, strong: termsOf(strong), weak: termsOf(weak) };
}

const termsOf = (list: string): readonly string[] => (list === '' ? [] : list.split(','));
