import type { CrawledPage } from '@app/client';

/** Whatever a YAML reader might not accept within quotes: JSON leaves these characters as they are. */
const NOT_PRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

/** The page as a Markdown file: front matter with URL and title, then its text. */
export function markdownFile(page: CrawledPage): string {
  const { url, metadata, statusCode } = page;
  const fields: [string, unknown][] = [['url', url]];
  if (metadata?.title !== undefined) fields.push(['title', metadata.title]);
  if (statusCode !== undefined) fields.push(['status', statusCode]);
  const lines = fields.map(([name, value]) => `${name}: ${yamlOf(value)}`);
  return `---\n${lines.join('\n')}\n---\n\n${ended(page.markdown ?? '')}`;
}

/** A JSON string is a double-quoted scalar of YAML 1.2. */
function yamlOf(value: unknown): string {
  return JSON.stringify(value).replace(
    NOT_PRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** With exactly one line break at its end. */
export function ended(text: string): string {
  return `${text.trimEnd()}\n`;
}
