import { type PageMetadata } from '@app/contracts';
import { type Document, type Element } from 'domhandler';
import { textOf } from '../dom/walk.js';
import { type JsonLdItem, typesOf } from '../json-ld/json-ld-item.js';
import { MAX_JSON_LD_TYPES, MAX_METADATA_CHARS, MAX_OPEN_GRAPH, MAX_TWITTER } from '../limits.js';
import { type UrlResolver } from '../links/url-resolver.js';
import { authorshipOf } from './authorship.js';
import { headlineOf } from './headline.js';
import { type MetaValues, readMeta, tidy } from './meta-values.js';
import { linkedMarkdownUrl, metaUse } from './page-use.js';
import { alternatesOf, faviconOf, feedsOf, languageTag, linkOf, pageLinks } from './page-links.js';

/** Metadata and what robots rules in it say. */
export interface DescribedPage {
  readonly metadata: PageMetadata;
  readonly noindex: boolean;
  readonly nofollow: boolean;
}

/**
 * Reads what a page says about itself from its html, title, meta, link and first h1 elements, and
 * from its JSON-LD items (see readJsonLd).
 * @param agent name of a robot: a meta element of that name adds to what `robots` says
 * @param document where author and times are looked for that neither says
 */
export function readMetadata(
  described: readonly Element[],
  resolver: UrlResolver,
  items: readonly JsonLdItem[] = [],
  agent?: string,
  document?: Document,
): DescribedPage {
  const meta = readMeta(described);
  const robots = tidy(meta.all('robots').join(', '));
  const own = agent === undefined ? [] : meta.all(agent.toLowerCase());
  const directives = [robots ?? '', ...own]
    .join(',')
    .toLowerCase()
    .split(/[\s,]+/);
  const text = ofText(described, meta);
  const isNone = directives.includes('none');
  return {
    metadata: withoutGaps({
      ...text,
      ...ofLinks(described, resolver, meta),
      ...ofVocabularies(meta, resolver),
      ...authorshipOf(meta, items, resolver, { document, language: text.language }),
      ...headlineOf(described, meta, items, text.title),
      robots,
      jsonLdTypes: [...new Set(items.flatMap(typesOf))].slice(0, MAX_JSON_LD_TYPES),
    }),
    noindex: isNone || directives.includes('noindex'),
    nofollow: isNone || directives.includes('nofollow'),
  };
}

/** Leaves out what the page does not say, empty lists included. */
function withoutGaps(metadata: PageMetadata): PageMetadata {
  const isSaid = (value: unknown): boolean =>
    typeof value === 'object' && value !== null
      ? Object.keys(value).length > 0
      : value !== undefined;
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => isSaid(value)));
}

function ofText(
  described: readonly Element[],
  meta: MetaValues,
): Pick<PageMetadata, 'title' | 'description' | 'language' | 'keywords'> {
  return {
    title:
      textOfFirst(described, 'title') ??
      meta.first('og:title', 'twitter:title') ??
      textOfFirst(described, 'h1'),
    description: meta.first('description', 'og:description', 'twitter:description'),
    language: languageOf(described, meta),
    keywords: meta.first('keywords', 'news_keywords'),
  };
}

function textOfFirst(described: readonly Element[], name: string): string | undefined {
  const element = described.find((candidate) => candidate.name === name);
  return element === undefined ? undefined : tidy(textOf(element, 4 * MAX_METADATA_CHARS));
}

function languageOf(described: readonly Element[], meta: MetaValues): string | undefined {
  const html = described.find(({ name }) => name === 'html')?.attribs;
  return (
    languageTag(html?.lang) ??
    languageTag(html?.['xml:lang']) ??
    // The pragma may list several languages; the page has one.
    languageTag(meta.first('content-language')?.split(',')[0]) ??
    languageTag(meta.first('og:locale', 'dc.language', 'dcterms.language'))
  );
}

function ofLinks(
  described: readonly Element[],
  resolver: UrlResolver,
  meta: MetaValues,
): Pick<
  PageMetadata,
  'canonical' | 'favicon' | 'feeds' | 'alternates' | 'markdownUrl' | 'contentUse'
> {
  const links = pageLinks(described, resolver);
  return {
    canonical: linkOf(links, 'canonical'),
    favicon: faviconOf(links),
    feeds: feedsOf(links),
    alternates: alternatesOf(links),
    markdownUrl: linkedMarkdownUrl(links),
    contentUse: metaUse(meta, links, resolver),
  };
}

/** Properties of Open Graph whose values are addresses. */
const ADDRESSES = /^og:(?:url|logo|see_also|(?:image|video|audio)(?::(?:url|secure_url))?)$/;

function ofVocabularies(
  meta: MetaValues,
  resolver: UrlResolver,
): Pick<PageMetadata, 'openGraph' | 'twitter'> {
  const openGraph = [...meta.startingWith('og:', MAX_OPEN_GRAPH)];
  const twitter = [...meta.startingWith('twitter:', MAX_TWITTER)];
  return {
    openGraph: Object.fromEntries(
      openGraph.map(([name, value]) => [
        name,
        // One that leads nowhere stays as the page has it.
        ADDRESSES.test(name) ? (resolver.resolveWeb(value) ?? value) : value,
      ]),
    ),
    twitter: Object.fromEntries(twitter.map(([name, value]) => [name.slice(8), value])),
  };
}
