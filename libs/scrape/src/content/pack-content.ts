import { hash } from 'node:crypto';
import type { JudgedContent } from '@app/content';
import {
  outputValues,
  type MarkdownParts,
  type OutputValues,
  type PageOutputs,
} from '@app/contracts';

/** Outputs that are as long as the page. */
const PACKED: ReadonlySet<string> = new Set<keyof OutputValues>([
  'markdown',
  'rawHtml',
  'html',
  'links',
]);

/** UTF-8 of a JSON object with the long ones among the wanted outputs, as results have them. */
export function packOutputs(
  outputs: PageOutputs,
  read: Partial<OutputValues>,
  { markdown = read.markdown, ...parts }: MarkdownParts = {},
): Uint8Array {
  const values = Object.entries(outputValues(outputs, { ...read, markdown }));
  const long = Object.fromEntries(values.filter(([name]) => PACKED.has(name)));
  return new TextEncoder().encode(JSON.stringify({ ...long, ...parts }));
}

/** Outputs that are wanted, or what was read of them, without those that are packed. */
export function besidePacked<Fields extends PageOutputs | JudgedContent>(fields: Fields): Fields {
  const short = Object.entries(fields).filter(([name]) => !PACKED.has(name));
  return Object.fromEntries(short) as Fields;
}

/**
 * If it is wanted, a key that pages of equal title and Markdown share, so that a token in the source that changes makes no
 * difference: 128 bits of SHA-256, hexadecimal. Absent without Markdown.
 */
export function contentKeyOf(
  outputs: PageOutputs,
  { markdown = '', metadata: { title = '' } }: Pick<JudgedContent, 'markdown' | 'metadata'>,
): { readonly contentKey?: string } {
  if (!outputs.contentKey || markdown.trim() === '') return {};
  return { contentKey: hash('sha256', `${title}\0${markdown}`, 'hex').slice(0, 32) };
}
