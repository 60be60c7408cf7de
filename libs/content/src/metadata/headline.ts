import { type PageMetadata } from '@app/contracts';
import { type Element } from 'domhandler';
import { collapse, textOf } from '../dom/walk.js';
import { isItem, type JsonLdItem, textOfValue, typesOf } from '../json-ld/json-ld-item.js';
import { MAX_METADATA_CHARS } from '../limits.js';
import { type MetaValues, tidy } from './meta-values.js';

/** Between a title and the name of its site. */
const SEPARATOR = /\s(?:[|–—·•»«/:~]|-{1,2}|::)\s|\s?\|\s?/;
/** Words of a name at the end of a title. */
const MAX_NAME_WORDS = 5;
const MAX_TAGS = 30;

const ARTICLE = /Article$|Posting$/;

/**
 * The title of the page's subject without the site's name where `title` is not that already, that name, and where the site files the page.
 */
export function headlineOf(
  described: readonly Element[],
  meta: MetaValues,
  items: readonly JsonLdItem[],
  title: string | undefined,
): Pick<PageMetadata, 'headline' | 'siteName' | 'section' | 'tags'> {
  const article = items.find((item) => typesOf(item).some((type) => ARTICLE.test(type)));
  const siteName = siteNameOf(meta, items, article);
  const headline = titleOf(described, meta, article, siteName);
  return {
    headline: headline === title ? undefined : headline,
    siteName,
    section:
      meta.first('article:section', 'og:article:section') ??
      tidy(textOfValue(article?.articleSection)),
    tags: tagsOf(meta, article),
  };
}

function siteNameOf(
  meta: MetaValues,
  items: readonly JsonLdItem[],
  article: JsonLdItem | undefined,
): string | undefined {
  const site = items.find((item) => typesOf(item).includes('WebSite'));
  const publisher = article?.publisher;
  return (
    meta.first('og:site_name') ??
    tidy(isItem(publisher) ? textOfValue(publisher) : undefined) ??
    tidy(textOfValue(site?.name)) ??
    meta.first('application-name')
  );
}

function tagsOf(meta: MetaValues, article: JsonLdItem | undefined): readonly string[] {
  const keywords: unknown = article?.keywords;
  const stated = Array.isArray(keywords) ? keywords.filter((one) => typeof one === 'string') : [];
  const tags = [...meta.all('article:tag'), ...meta.all('og:article:tag'), ...stated];
  const tidied = tags.flatMap((tag) => tidy(tag) ?? []);
  return [...new Set(tidied)].slice(0, MAX_TAGS);
}

/** The main heading where the page's titles confirm it, else the best of them without the site's name. */
function titleOf(
  described: readonly Element[],
  meta: MetaValues,
  article: JsonLdItem | undefined,
  siteName: string | undefined,
): string | undefined {
  const heading = textOfFirst(described, 'h1');
  const title = textOfFirst(described, 'title');
  const stated = [
    tidy(textOfValue(article?.headline)),
    meta.first('og:title', 'twitter:title'),
    title,
  ].filter((one) => one !== undefined);
  const isConfirmed = (text: string): boolean =>
    stated.some((one) => plain(one).includes(plain(text)) || plain(text).includes(plain(one)));
  const isSite = plain(heading ?? '') === plain(siteName ?? '');
  if (heading !== undefined && !isSite && isConfirmed(heading)) return heading;
  const og = meta.first('og:title', 'twitter:title');
  const best = og ?? title ?? heading;
  return best === undefined ? undefined : withoutSite(best, siteName);
}

/** "Title | Site" is "Title"; what is not known for the site's name stays unless it is short. */
function withoutSite(title: string, siteName: string | undefined): string {
  const parts = title.split(SEPARATOR).filter((part) => part.trim() !== '');
  if (parts.length < 2) return title;
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  const rest = (from: number, to?: number): string => {
    const kept = parts.slice(from, to);
    const begin = title.indexOf(kept[0] ?? '');
    const end = title.lastIndexOf(kept.at(-1) ?? '') + (kept.at(-1) ?? '').length;
    return title.slice(begin, end).trim();
  };
  if (siteName !== undefined) {
    if (isName(last, siteName)) return rest(0, -1);
    if (isName(first, siteName)) return rest(1);
  }
  const isShortEnd = last.split(' ').length <= MAX_NAME_WORDS && first.length > last.length;
  return isShortEnd ? rest(0, -1) : title;
}

function isName(part: string, siteName: string): boolean {
  const [one, other] = [plain(part), plain(siteName)];
  return one !== '' && (one === other || other.includes(one) || one.includes(other));
}

function textOfFirst(described: readonly Element[], name: string): string | undefined {
  const element = described.find((candidate) => candidate.name === name);
  return element === undefined
    ? undefined
    : tidy(collapse(textOf(element, 4 * MAX_METADATA_CHARS)));
}

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
