import type { PageMetadata } from '@app/contracts';
import { textOfValue, typesOf, type JsonLdItem, type MetaValues } from '@app/content';
import { ownLabel } from '../domain.js';
import { TYPE_INDUSTRIES } from '../industry/type-industries.js';

const MAX_NAME_CHARS = 100;
const MAX_DESCRIPTION_CHARS = 1_000;
const SEPARATORS = /(?<!\s)\s+[|–—·•»:-]\s+|(?:(?<!\s)\s+)?[|»]\s*|:\s+/;
/** A title's part that is this short may be a name; longer ones are sentences. */
const MAX_TITLE_NAME_CHARS = 40;
const NOT_A_NAME = /^(?:home|homepage|welcome|start|startseite|accueil|inicio|index|untitled)$/i;

/** JSON-LD types of owners of a page, and of others that the page may describe. */
const OWNER = /(?:Organization|Corporation|Business|Company|Store|Restaurant|Hotel|Agency)$/;
const SITE = /^WebSite$/;

/** What a page says of itself, outside of its text. */
export interface Sayings {
  readonly items: readonly JsonLdItem[];
  readonly metadata: PageMetadata;
  readonly meta: MetaValues;
  readonly domain: string;
}

/** Items of JSON-LD that describe the page's owner. */
export function ownersOf(items: readonly JsonLdItem[]): readonly JsonLdItem[] {
  return items.filter((item) =>
    typesOf(item).some((type) => OWNER.test(type) || Object.hasOwn(TYPE_INDUSTRIES, type)),
  );
}

/**
 * The name of a page's owner: by JSON-LD, by its meta elements for the site's name, else the part of
 * the title that the domain is made of or that is alone.
 */
export function brandName({ items, metadata, meta, domain }: Sayings): string | undefined {
  const site = items.filter((item) => typesOf(item).some((type) => SITE.test(type)));
  const stated = [
    ...[...ownersOf(items), ...site].map((item) => textOfValue(item.name)),
    metadata.openGraph?.['og:site_name'],
    meta.first('application-name'),
    meta.first('apple-mobile-web-app-title'),
  ];
  return stated.map(usable).find((name) => name !== undefined) ?? titleName(metadata.title, domain);
}

function usable(text: string | undefined): string | undefined {
  const name = text?.replace(/\s+/g, ' ').trim();
  return name === undefined || name === '' || name.length > MAX_NAME_CHARS ? undefined : name;
}

function titleName(title: string | undefined, domain: string): string | undefined {
  const parts = (title ?? '').split(SEPARATORS).map((part) => part.trim());
  const label = squeezed(ownLabel(domain));
  const named = parts.find((part) => part !== '' && squeezed(part) === label);
  if (named !== undefined) return named;
  const likely = parts.filter(
    (part) => part !== '' && part.length <= MAX_TITLE_NAME_CHARS && !NOT_A_NAME.test(part),
  );
  const kin = likely.find((part) => isKin(squeezed(part), label));
  // Of a title with one part only the length distinguishes a name from a headline.
  return kin ?? (parts.length === 1 || likely.length === 1 ? likely[0] : undefined);
}

const isKin = (part: string, label: string): boolean =>
  part.length > 2 && label.length > 2 && (label.startsWith(part) || part.startsWith(label));

const squeezed = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** How a page describes its owner. */
export function brandDescription({ items, metadata }: Sayings): string | undefined {
  const stated = ownersOf(items).map((item) => textOfValue(item.description));
  const text = [metadata.description, ...stated].find((one) => (one ?? '').trim() !== '');
  return text?.replace(/\s+/g, ' ').trim().slice(0, MAX_DESCRIPTION_CHARS);
}
