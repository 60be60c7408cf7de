import { type PageMetadata } from '@app/contracts';
import { collectTargets, type CollectedLinks } from '../links/collect-links.js';
import { MAX_METADATA_CHARS } from '../limits.js';
import { UrlResolver } from '../links/url-resolver.js';
import { findMarkdownLinks } from './find-markdown-links.js';

/** How far into a text its title may be. */
const MAX_TITLE_AT = 20_000;
const FRONT_MATTER = /^---[ \t\r]*\n/;
const STATED_TITLE = /^title:(.+)$/m;
const HEADING = /^# +(\S.*)$/m;

/** The title that a text in Markdown states: in its front matter, or as its first heading. */
export function markdownMetadata(markdown: string): PageMetadata {
  const start = markdown.slice(0, MAX_TITLE_AT);
  const front = frontMatterOf(start);
  const stated = STATED_TITLE.exec(front)?.[1];
  const heading = HEADING.exec(start.slice(front.length))?.[1];
  const title = stated?.trim() ? unquoted(stated.trim()) : withoutClosing(heading ?? '');
  return title === '' ? {} : { title: title.trim().slice(0, MAX_METADATA_CHARS) };
}

/** Between two lines of dashes, the first of which begins the text. */
function frontMatterOf(text: string): string {
  const [opening = ''] = FRONT_MATTER.exec(text) ?? [];
  const end = opening === '' ? -1 : text.indexOf('\n---', opening.length - 1);
  return end === -1 ? '' : text.slice(0, end);
}

function unquoted(text: string): string {
  const isQuoted = /^["']/.test(text) && text.length > 1 && text.endsWith(text.charAt(0));
  return isQuoted ? text.slice(1, -1) : text;
}

/** A heading may end with as many hashes as the author likes. */
function withoutClosing(heading: string): string {
  let end = heading.length;
  while (end > 0 && ' #\r'.includes(heading.charAt(end - 1))) end--;
  return heading.slice(0, end);
}

/** The pages that a text in Markdown links to. */
export function markdownLinks(markdown: string, url: string): CollectedLinks {
  return collectTargets(findMarkdownLinks(markdown), new UrlResolver(url));
}

/** As Markdown of a page has it without its inlined images: also for readers of its text, models among them. */
export function withoutInlinedImages(markdown: string): string {
  return markdown.replace(/\]\(data:image\/[^()\s]*/g, '](<Base64-Image-Removed>');
}
