import { createRequire } from 'node:module';
import { extractPage, parseHtml, UrlResolver, writeMarkdown } from '@app/content';
import { NodeHtmlMarkdown } from 'node-html-markdown';
import { makeTurndown } from './contenders/turndown.js';

/** One page to convert: the same text for everybody, and its bytes for who starts from those. */
export interface SourcePage {
  readonly name: string;
  readonly html: string;
  readonly bytes: Uint8Array;
}

export type ConverterName = 'trawl' | 'trawl-page' | 'turndown' | 'node-html-markdown' | 'native';

/** A converter of HTML to Markdown. */
export interface Converter {
  readonly name: ConverterName;
  /** Makes what pages share; then converts one page. */
  readonly prepare: () => (page: SourcePage) => string;
}

/** A CommonJS package whose names Node does not find for an import. */
function requireNative(): typeof import('@kreuzberg/html-to-markdown-node') {
  const require = createRequire(import.meta.url);
  return require('@kreuzberg/html-to-markdown-node') as ReturnType<typeof requireNative>;
}

/**
 * All are handed the decoded text and answer Markdown. `trawl-page` is what a page costs the
 * service: sniffing and decoding the bytes, the tree, metadata, the facts that verdicts rest on,
 * and Markdown.
 */
export const CONVERTERS: readonly Converter[] = [
  { name: 'trawl', prepare: () => textToMarkdown },
  { name: 'trawl-page', prepare: () => pageToMarkdown },
  {
    name: 'turndown',
    prepare: () => {
      const turndown = makeTurndown();
      return ({ html }) => turndown.turndown(html);
    },
  },
  {
    name: 'node-html-markdown',
    prepare: () => {
      const converter = new NodeHtmlMarkdown();
      return ({ html }) => converter.translate(html);
    },
  },
  {
    name: 'native',
    prepare: () => {
      const { convert } = requireNative();
      return ({ html }) => convert(html).content ?? '';
    },
  },
];

const PAGE_URL = 'https://site.invalid/page';

function textToMarkdown({ html }: SourcePage): string {
  return writeMarkdown(parseHtml(html), new UrlResolver(PAGE_URL)).markdown;
}

function pageToMarkdown({ bytes }: SourcePage): string {
  const page = extractPage(
    { body: bytes, contentType: 'text/html; charset=utf-8', url: PAGE_URL },
    { markdown: true, links: false, rawHtml: false },
  );
  return page.markdown ?? '';
}
