import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { parseHtml } from '../src/dom/parse-html.js';
import { UrlResolver } from '../src/links/url-resolver.js';
import { writeMarkdown } from '../src/markdown/write-markdown.js';

/** HTML to Markdown by our writer. */
export function markdownOf(html: string): string {
  return writeMarkdown(parseHtml(html), new UrlResolver('https://example.com/')).markdown;
}

/** Markdown to HTML by an independent reader of GFM. */
export function markdownToHtml(markdown: string): string {
  return micromark(markdown, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
}
