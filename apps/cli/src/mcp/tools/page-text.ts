interface PageHead {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly author?: string | undefined;
  readonly publishedTime?: string | undefined;
}

/** What a page states about itself, as lines above its text. */
export function pageHead({ title, description, author, publishedTime }: PageHead): string {
  const facts = {
    Title: title,
    Description: description,
    Author: author,
    Published: publishedTime,
  };
  return Object.entries(facts)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

/** Blocks of Markdown, without the empty ones. */
export function joinBlocks(blocks: readonly string[]): string {
  return blocks.filter((block) => block !== '').join('\n\n');
}

/** JSON of data that a page states, as text. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 1);
}

/** Names the part of the content that is missing, if one is. */
export function partialNote({
  partial,
  partial_reason: reason,
}: {
  readonly partial?: boolean;
  readonly partial_reason?: string;
}): string {
  return partial ? ` Incomplete: ${reason ?? 'the service gives no reason'}.` : '';
}
