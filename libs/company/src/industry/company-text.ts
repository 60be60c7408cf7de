import { collapse, textOf, typesOf, walk, type JsonLdItem, type ReadablePage } from '@app/content';

/** Texts that name a company's line of business, by place. */
export interface CompanyText {
  /** schema.org types of the things that the page describes. */
  readonly types: readonly string[];
  readonly title: string;
  readonly description: string;
  readonly headings: readonly string[];
  readonly keywords: string;
}

const MAX_HEADINGS = 12;
const MAX_HEADING_CHARS = 200;
const MAX_FIELD_CHARS = 1_000;

/** Other pages of the same systems are articles to Open Graph, too, but were not published on a day. */
const isPost = ({ described }: ReadablePage['parsed']): boolean =>
  described.some(({ attribs }) => attribs.property === 'article:published_time');

/** What a page says of its company's line of business. */
export function companyText(
  { parsed, metadata }: ReadablePage,
  items: readonly JsonLdItem[],
): CompanyText {
  const headings: string[] = [];
  walk(parsed.document, {
    text: () => undefined,
    enter: (element) => {
      if (element.name !== 'h1' && element.name !== 'h2') return element.name !== 'template';
      const text = collapse(textOf(element, 4 * MAX_HEADING_CHARS));
      if (text !== '') headings.push(text.slice(0, MAX_HEADING_CHARS));
      return false;
    },
    isDone: () => headings.length >= MAX_HEADINGS,
  });
  const field = (text: string | undefined): string => (text ?? '').slice(0, MAX_FIELD_CHARS);
  return {
    types: [...items.flatMap(typesOf), ...(isPost(parsed) ? ['Article'] : [])],
    title: field(metadata.title),
    description: field(metadata.description),
    headings,
    keywords: field(metadata.keywords),
  };
}
