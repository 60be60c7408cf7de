import { hash } from 'node:crypto';
import { outputValues, type OutputValues, type PageOutputs } from '@app/contracts';

/** Outputs that are as long as the page. */
type Packed = 'markdown' | 'rawHtml' | 'html' | 'links';
const NONE_PACKED = { markdown: false, rawHtml: false, html: false, links: false } as const;

/** UTF-8 of a JSON object with the long ones among the wanted outputs, as results have them. */
export function packOutputs(
  { markdown, rawHtml, html, links }: PageOutputs,
  read: Partial<OutputValues>,
): Uint8Array {
  const wanted = { markdown, rawHtml, html, links } as PageOutputs;
  return new TextEncoder().encode(JSON.stringify(outputValues(wanted, read)));
}

/** The wanted outputs that are not packed. */
export function besidePacked(outputs: PageOutputs): PageOutputs {
  return { ...outputs, ...NONE_PACKED };
}

/** What is read of a page, without what is packed. */
export function withoutPacked<Read extends Partial<OutputValues>>({
  markdown: _,
  rawHtml: __,
  html: ___,
  links: ____,
  ...rest
}: Read): Omit<Read, Packed> {
  return rest;
}

/**
 * Equal for pages of equal title and Markdown, so that a token in the source that changes makes no difference: 128 bits of
 * SHA-256, hexadecimal. Null: there is no Markdown.
 */
export function contentKey(markdown: string, title = ''): string | null {
  if (markdown.trim() === '') return null;
  return hash('sha256', `${title}\0${markdown}`, 'hex').slice(0, 32);
}
