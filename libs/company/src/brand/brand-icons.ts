import type { Element } from 'domhandler';
import type { UrlResolver } from '@app/content';

/** A picture a page names as its icon. */
interface Icon {
  readonly url: string;
  readonly weight: number;
}

/** A web manifest that was fetched. */
export interface FetchedManifest {
  /** After redirects. */
  readonly url: string;
  readonly text: string;
}

const MAX_ICONS = 50;
const MAX_MANIFEST_CHARS = 262_144;

/** Address of the web manifest that a page links. */
export function manifestAddress(
  described: readonly Element[],
  resolver: UrlResolver,
): string | undefined {
  const link = linksOf(described, 'manifest')[0];
  return link?.attribs.href === undefined ? undefined : resolver.resolveWeb(link.attribs.href);
}

/** The icon that browsers would show in a tab: the sharpest that the page links. */
export function favicon(described: readonly Element[], resolver: UrlResolver): string | undefined {
  return bestLinked(described, resolver, 'icon') ?? touchIcon(described, resolver);
}

/** The large picture that is put on home screens. */
export function touchIcon(
  described: readonly Element[],
  resolver: UrlResolver,
): string | undefined {
  return (
    bestLinked(described, resolver, 'apple-touch-icon') ??
    bestLinked(described, resolver, 'apple-touch-icon-precomposed')
  );
}

function linksOf(described: readonly Element[], rel: string): readonly Element[] {
  return described
    .filter(({ name, attribs }) => {
      const words = (attribs.rel ?? '').toLowerCase().split(/\s+/);
      return name === 'link' && attribs.href !== undefined && words.includes(rel);
    })
    .slice(0, MAX_ICONS);
}

function bestLinked(
  described: readonly Element[],
  resolver: UrlResolver,
  rel: string,
): string | undefined {
  const icons = linksOf(described, rel).flatMap(({ attribs }) => {
    const url = resolver.resolveWeb((attribs.href ?? '').trim());
    const isForDark = /dark/i.test(attribs.media ?? '');
    const weight = iconWeight(url ?? '', attribs.sizes, attribs.type) - (isForDark ? 1 : 0);
    return url === undefined ? [] : [{ url, weight }];
  });
  return best(icons);
}

/** The largest icon of a manifest that is a picture of its own, no mask and no single colour. */
export function manifestIcon({ url, text }: FetchedManifest): string | undefined {
  const icons = iconsOf(text).flatMap((icon) => {
    const { src, sizes, type, purpose } = icon;
    const address = typeof src === 'string' ? URL.parse(src, url) : null;
    if (address === null || !/^https?:$/.test(address.protocol)) return [];
    const isPlain = typeof purpose !== 'string' || /\bany\b/i.test(purpose);
    const weight = iconWeight(address.href, asText(sizes), asText(type));
    return [{ url: address.href, weight: isPlain ? weight : weight / 1_000 }];
  });
  return best(icons);
}

const asText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

function iconsOf(text: string): readonly Readonly<Record<string, unknown>>[] {
  const manifest = parse(text.slice(0, MAX_MANIFEST_CHARS)) as { icons?: unknown } | null;
  const icons: readonly unknown[] = Array.isArray(manifest?.icons) ? manifest.icons : [];
  return icons
    .slice(0, MAX_ICONS)
    .filter(
      (icon): icon is Readonly<Record<string, unknown>> =>
        typeof icon === 'object' && icon !== null,
    );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // A manifest that is no JSON does not stop the page from being read.
    return null;
  }
}

/** Pixels of its side; a drawing fits any size, so it has the highest weight. */
function iconWeight(url: string, sizes: string | undefined, type: string | undefined): number {
  const isDrawing = /svg/i.test(type ?? '') || /\.svg(?:$|\?)/i.test(url) || sizes === 'any';
  if (isDrawing) return 10_000;
  const sides = [...(sizes ?? '').slice(0, 200).matchAll(/(\d{1,4})x\d{1,4}/gi)];
  return Math.max(16, ...sides.map(([, side]) => Number(side)));
}

/** Of equals the first. */
function best(icons: readonly Icon[]): string | undefined {
  let found: Icon | undefined;
  for (const icon of icons) if (found === undefined || icon.weight > found.weight) found = icon;
  return found?.url;
}
