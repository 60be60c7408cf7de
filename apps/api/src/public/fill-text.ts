/** The values for the placeholders of public texts. */
export interface TextFacts {
  /** By the name in double braces. */
  readonly values: Readonly<Record<string, string>>;
  /** Titles of the available operations, such as `POST /v1/scrape`. */
  readonly operations: ReadonlySet<string>;
}

/** Matches up to the next start marker only, so many starts without an end are still read once. */
const CONDITIONAL =
  /^<!-- with ([A-Z]+ \S+) -->\n((?:(?!<!-- (?:with|end) )[^\n]*\n)*)<!-- end -->\n/gm;

/**
 * Fills `{{name}}` and removes the text between `<!-- with METHOD /path -->` and `<!-- end -->` if the operation does not
 * exist. @throws Error that names a placeholder without a value
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
