/** What the texts for readers are filled with. */
export interface TextFacts {
  /** By the name that stands in double braces. */
  readonly values: Readonly<Record<string, string>>;
  /** Titles of the operations there are, such as `POST /v1/scrape`. */
  readonly operations: ReadonlySet<string>;
}

/** Ends before the next one begins: a text of many beginnings and no end is read once. */
const CONDITIONAL =
  /^<!-- with ([A-Z]+ \S+) -->\n((?:(?!<!-- (?:with|end) )[^\n]*\n)*)<!-- end -->\n/gm;

/**
 * Fills `{{name}}`, and leaves out what stands between `<!-- with METHOD /path -->` and `<!-- end -->` where there is no
 * such operation. @throws Error that names a value there is not
 */
export function fillText(text: string, { values, operations }: TextFacts): string {
  return text
    .replace(CONDITIONAL, (_, title: string, inner: string) => (operations.has(title) ? inner : ''))
    .replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`no value for {{${name}}} in a public file`);
      return value;
    })
    .replace(/\n{3,}/g, '\n\n');
}
