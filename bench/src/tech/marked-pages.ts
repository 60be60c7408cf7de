import { type SeededRandom, seededRandom } from '@app/testing';
import { fillerHtml } from './filler.js';
import { type Marker, MARKERS } from './markers.js';
import { syntheticTable } from './synthetic-table.js';
import type { TechPage } from './tech-page.js';

const PAGES = 50;
const FILLER_CHARS = 60_000;
/** Made-up technologies a page shows, so that a synthetic table has something to find. */
const SYNTHETIC = 6;
const SYNTHETIC_FROM = 750;

/** One page can have one of each only; the first marker's is. */
const SINGLE = new Set(['server', 'x-powered-by', 'x-generator', 'powered-by', 'via']);

/**
 * Pages of 60 KB with two or three marked technologies each, every one of the markers at least
 * once.
 */
export function markedPages(): readonly TechPage[] {
  const random = seededRandom(11);
  const slugs = Object.keys(syntheticTable(SYNTHETIC_FROM)['technologies'] as object);
  return Array.from({ length: PAGES }, (_, index) => {
    const own = MARKERS[index % MARKERS.length];
    const chosen = [own, random.pick(MARKERS), random.pick(MARKERS)].flatMap((one) => one ?? []);
    const shown = Array.from({ length: SYNTHETIC }, () => random.pick(slugs));
    return markedPage(index, [...new Set(chosen), ...shown.map(syntheticMarker)], random);
  });
}

function markedPage(index: number, chosen: readonly Marker[], random: SeededRandom): TechPage {
  const headers: Record<string, string> = { 'content-type': 'text/html; charset=utf-8' };
  const kept = chosen.filter(
    (marker) =>
      !Object.keys(marker.headers ?? {}).some((name) => SINGLE.has(name) && name in headers) &&
      addHeaders(headers, marker),
  );
  const part = (of: 'head' | 'body'): string => kept.map((marker) => marker[of] ?? '').join('\n');
  return {
    url: `https://site${index}.example/`,
    headers,
    expect: kept.map(({ name }) => name).filter(Boolean),
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${index}</title>${part('head')}</head><body>${part('body')}${fillerHtml(FILLER_CHARS, random)}</body></html>`,
  };
}

/** Has no name: no contender is expected to find it. */
function syntheticMarker(slug: string): Marker {
  return {
    name: '',
    head: `<script src="https://cdn.${slug}.com/${slug}-2.4.1.min.js"></script>`,
    body: `<div id="${slug}-root" class="${slug}-widget" data-${slug}="1"></div>`,
  };
}

function addHeaders(headers: Record<string, string>, marker: Marker): true {
  for (const [name, value] of Object.entries(marker.headers ?? {}))
    headers[name] = headers[name] === undefined ? value : `${headers[name]}; ${value}`;
  return true;
}
