import { type PageMetadata } from '@app/contracts';
import { type Document } from 'domhandler';
import { isItem, type JsonLdItem, textOfValue, typesOf } from '../json-ld/json-ld-item.js';
import { type UrlResolver } from '../links/url-resolver.js';
import { isoTimeOf } from './iso-time.js';
import { type MetaValues, tidy } from './meta-values.js';
import { type MetadataEvidence, readMetadataEvidence, statedName } from './page-evidence.js';

/** Names of times in meta elements, the most common vocabulary first. */
const PUBLISHED = [
  'article:published_time',
  'og:article:published_time',
  'datepublished',
  'dcterms.issued',
  'dc.date.issued',
  'dcterms.created',
  'dcterms.date',
  'dc.date',
  'citation_publication_date',
  'citation_date',
  'parsely-pub-date',
  'sailthru.date',
  'pubdate',
  'publishdate',
  'publish_date',
  'publish-date',
  'publication_date',
  'published-date',
  'published_date',
  'published',
  'cxenseparse:recs:publishtime',
  'date',
];
const MODIFIED = [
  'article:modified_time',
  'og:updated_time',
  'datemodified',
  'dcterms.modified',
  'dc.date.modified',
  'last-modified',
  'modified-date',
  'lastmod',
];
const AUTHORS = [
  'author',
  'article:author',
  'dc.creator',
  'dcterms.creator',
  'byl',
  'citation_author',
  'parsely-author',
  'sailthru.author',
  'cxenseparse:author',
];

/** Who wrote a page, and when: by its metadata, else by its JSON-LD, else by what its text shows. */
export function authorshipOf(
  meta: MetaValues,
  items: readonly JsonLdItem[],
  resolver: UrlResolver,
  { document, language }: { readonly document?: Document; readonly language?: string },
): Pick<PageMetadata, 'author' | 'publishedTime' | 'modifiedTime'> {
  const work = workOf(items);
  const stated = {
    author: authorOf(meta) ?? tidy(authorOfWork(work, items)),
    published:
      meta.first(...PUBLISHED) ?? tidy(textOfValue(work?.datePublished ?? work?.dateCreated)),
    modified: meta.first(...MODIFIED) ?? tidy(textOfValue(work?.dateModified)),
  };
  const isMonthFirst = /^en(?:[-_]us)?$/i.test(meta.first('og:locale') ?? language ?? 'en-us');
  const isOfSite =
    stated.author !== undefined && namesOfSite(meta, items).has(plain(stated.author));
  const isComplete = stated.author !== undefined && !isOfSite && stated.published !== undefined;
  const shown: MetadataEvidence =
    isComplete || document === undefined ? {} : readMetadataEvidence(document, isMonthFirst);
  const published =
    stated.published ??
    shown.published ??
    dateOfAddress(resolver.resolveWeb('') ?? '') ??
    shown.modified;
  const isSigned = PERSON.test(shown.author ?? '') && !isNamedIn(shown.author, stated.author);
  const isArticle = published !== undefined || /article|blog/i.test(meta.first('og:type') ?? '');
  // Many sites state themselves as the author of every page; others are one person's, with their name.
  const believed = isOfSite && (isSigned || !isArticle) ? undefined : stated.author;
  const signed = isOfSite && !isSigned ? undefined : shown.author;
  return {
    author: believed ?? signed,
    publishedTime: inIso(published, isMonthFirst),
    modifiedTime: inIso(stated.modified ?? shown.modified, isMonthFirst),
  };
}

/** Two to four words that begin as names do. */
const PERSON = /^\p{Lu}[\p{L}'’.-]+(?: [\p{L}'’.-]+){0,2} \p{Lu}[\p{L}'’.-]+$/u;

const SITE = /^WebSite$|Organization$|^Corporation$/;

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

const isNamedIn = (text = '', name = ''): boolean => plain(text).includes(plain(name));

/** What a site calls itself, and who publishes its works. */
function namesOfSite(meta: MetaValues, items: readonly JsonLdItem[]): ReadonlySet<string> {
  const ofItems = items.flatMap((item) => {
    const isSite = typesOf(item).some((type) => SITE.test(type));
    return [
      isSite ? item.name : undefined,
      isItem(item.publisher) ? item.publisher.name : undefined,
    ];
  });
  const names = [meta.first('og:site_name', 'application-name'), ...ofItems.map(textOfValue)];
  return new Set(names.flatMap((name) => (name === undefined ? [] : [plain(name)])));
}

/** As the page has it where it has another form. */
function inIso(time: string | undefined, isMonthFirst: boolean): string | undefined {
  if (time === undefined) return undefined;
  const text = UNIX_TIME.test(time)
    ? new Date(Number(time.slice(0, 10)) * 1_000).toISOString()
    : time;
  return isoTimeOf(text, isMonthFirst) ?? time;
}

/** Seconds or milliseconds since 1970, of the years from 2001 to 2065. */
const UNIX_TIME = /^[12]\d{9}(?:\d{3})?$/;

/** "/2024/01/31/" and "/2024-01-31-title": blogs and newspapers file articles by day. */
function dateOfAddress(url: string): string | undefined {
  const match = /[/-](20[0-3]\d)[/-]?([01]\d)[/-]?([0-3]\d)(?=[/_-])/.exec(url);
  return match === null ? undefined : isoTimeOf(`${match[1]}-${match[2]}-${match[3]}`);
}

/** What most pages say of themselves comes last: a page that is an article is that first. */
const WORKS = [
  /Article$|Posting$|^(?:Recipe|Report|Review|HowTo|Dataset)$/,
  /^(?:QAPage|Question|Book|Course|VideoObject|PodcastEpisode|SoftwareSourceCode)$/,
  /^(?:[A-Za-z]*Page)$/,
];

function workOf(items: readonly JsonLdItem[]): JsonLdItem | undefined {
  for (const kind of WORKS) {
    const work = items.find((item) => typesOf(item).some((type) => kind.test(type)));
    const inner = work?.mainEntity;
    const isQuestion = isItem(inner) && typesOf(inner).includes('Question');
    if (work !== undefined && isQuestion) return inner;
    if (work?.datePublished !== undefined || work?.author !== undefined) return work;
  }
  return items.find(({ datePublished }) => datePublished !== undefined);
}

/** Authors of a page beyond which a list of them says no more. */
const MAX_AUTHORS = 5;

function authorOf(meta: MetaValues): string | undefined {
  for (const name of AUTHORS) {
    // Facebook wants the author's address there.
    const authors = meta
      .all(name)
      .flatMap((author) => (/^https?:|^@/i.test(author) ? [] : (statedName(author) ?? [])));
    if (authors.length > 0) return [...new Set(authors)].slice(0, MAX_AUTHORS).join(', ');
  }
  const isWriter = /written by|geschrieben von|verfasst von|écrit par|escrito por|scritto da/i;
  return isWriter.test(meta.first('twitter:label1') ?? '')
    ? meta.first('twitter:data1')
    : undefined;
}

function authorOfWork(
  work: JsonLdItem | undefined,
  items: readonly JsonLdItem[],
): string | undefined {
  const given = work?.author ?? work?.creator;
  const authors: readonly unknown[] = Array.isArray(given) ? given : [given];
  const names = authors.slice(0, MAX_AUTHORS).flatMap((author) => {
    const name = nameOf(author, items);
    return name === undefined || /^https?:/i.test(name) ? [] : (statedName(name) ?? []);
  });
  return names.length === 0 ? undefined : [...new Set(names)].join(', ');
}

/** Of an author in place, or of one that another item describes. */
function nameOf(author: unknown, items: readonly JsonLdItem[]): string | undefined {
  if (!isItem(author)) return typeof author === 'string' ? textOfValue(author) : undefined;
  const named = textOfValue(author);
  const id = author['@id'];
  if (named !== undefined || id === undefined) return named;
  return textOfValue(items.find((item) => item['@id'] === id && item.name !== undefined));
}
