import { type SeededRandom, seededRandom } from '@app/testing';

/** One technology as operators' files write it. */
export type SyntheticEntry = Readonly<Record<string, unknown>>;

const STARTS =
  'ac al bri cla cor dex el fin glo hy in jet kin lo mar nex or pix qua ri sol tra ul vel web xi yo zen'.split(
    ' ',
  );
const MIDDLES = 'ba ci do fa gra hu la lo mi na pla ra si ta ver vo'.split(' ');
const ENDS =
  'bit cart chat desk flow form gate grid hub kit lab ly metrics pay pulse push stack tag wave zone'.split(
    ' ',
  );
const CATEGORIES = 60;

/**
 * A table of made-up technologies in the form of operators' files, the same for the same size; a smaller one is the
 * beginning of a larger. The shares of the kinds of marks are about those of large public tables: addresses of scripts
 * most, then globals and elements, less meta, headers, cookies, source and inline scripts; of a hundred patterns one
 * is of a sort that no literal filters, of a thousand one needs lookaround.
 */
export function syntheticTable(size: number): Readonly<Record<string, unknown>> {
  const random = seededRandom(29);
  const technologies: Record<string, SyntheticEntry> = {};
  for (let index = 0; index < size; index++) {
    const name = `${random.pick(STARTS)}${random.pick(MIDDLES)}${random.pick(ENDS)}${index.toString(36)}`;
    technologies[name] = entryOf(name, index, random);
  }
  const categories = Object.fromEntries(
    Array.from({ length: CATEGORIES }, (_, id) => [id + 1, { name: `Category ${id + 1}` }]),
  );
  return { technologies, categories };
}

/** Of a hundred technologies so many have the mark. */
const SHARES: readonly (readonly [number, (slug: string, random: SeededRandom) => object])[] = [
  [46, (slug, random) => ({ scriptSrc: scriptPatterns(slug, random) })],
  [30, (slug) => ({ js: { [slug]: '', [`${slug}.version`]: '([\\d.]+)\\;version:\\1' } })],
  [24, (slug, random) => ({ dom: selectors(slug, random) })],
  [9, (slug) => ({ meta: { generator: `${slug}(?: v?([\\d.]+))?\\;version:\\1` } })],
  [8, (slug, random) => ({ html: sourcePattern(slug, random) })],
  [7, (slug) => ({ headers: { 'X-Powered-By': `^${slug}(?:/([\\d.]+))?\\;version:\\1` } })],
  [3, (slug) => ({ headers: { [`X-${slug}-Id`]: '', Server: `^${slug}` } })],
  [6, (slug) => ({ cookies: { [`${slug}_session`]: '', [`_${slug}_id`]: '' } })],
  [5, (slug) => ({ scripts: `window\\.${slug}(?:Settings|Config)\\s*=\\s*\\{` })],
  [2, (slug) => ({ css: `\\.${slug}-(?:wrapper|container)` })],
  [2, (slug) => ({ url: `^https?://[^/]+\\.${slug}\\.(?:com|io|app)` })],
  [2, (slug) => ({ xhr: `api\\.${slug}\\.(?:com|io)` })],
  [2, (slug) => ({ text: `\\bpowered by ${slug}\\b` })],
  [8, () => ({ dns: { TXT: 'verification' } })],
];

function entryOf(slug: string, index: number, random: SeededRandom): SyntheticEntry {
  const marks = SHARES.filter(([share]) => random.int(1, 100) <= share).map(([, mark]) =>
    mark(slug, random),
  );
  const shown = marks.length > 0 ? marks : [{ scriptSrc: scriptPatterns(slug, random) }];
  return {
    cats: [1 + (index % CATEGORIES)],
    website: `https://${slug}.example`,
    ...Object.assign({}, ...shown),
    ...(index % 9 === 0 && { implies: 'PHP' }),
  };
}

function scriptPatterns(slug: string, random: SeededRandom): string | readonly string[] {
  switch (random.int(1, 8)) {
    case 1:
      return [`cdn\\.${slug}\\.com/`, `${slug}(?:[.-]([\\d.]+))?(?:\\.min)?\\.js\\;version:\\1`];
    case 2:
      return `/wp-content/plugins/${slug}/.+\\.js(?:\\?ver=([\\d.]+))?\\;version:\\1`;
    case 3:
      return `/${slug}@([\\d.]+)/dist/\\;version:\\1`;
    case 4:
      return `^https?://(?:[\\w-]+\\.)?${slug}\\.(?:com|net|io)/`;
    case 5:
      return random.int(1, 12) === 1 ? `[a-z]{2}\\d{3,5}\\.js\\?${slug[0]}` : `${slug}\\.js`;
    case 6:
      return random.int(1, 90) === 1
        ? `(?<!x)${slug}(?!\\.css)`
        : `//js\\.${slug}\\.io/v(\\d+)/\\;version:\\1`;
    default:
      return `${slug}[-.]?(?:widget|sdk|loader)?(?:\\.min)?\\.js`;
  }
}

function selectors(slug: string, random: SeededRandom): unknown {
  switch (random.int(1, 5)) {
    case 1:
      return `link[href*='/wp-content/plugins/${slug}/']`;
    case 2:
      return [`#${slug}-root`, `div.${slug}-widget > iframe`];
    case 3:
      return {
        [`script[src*='${slug}']`]: { attributes: { src: `${slug}/([\\d.]+)/\\;version:\\1` } },
      };
    case 4:
      return { [`a[href*='${slug}.com']`]: { exists: '' } };
    default:
      return { [`[data-${slug}]`]: { exists: '' }, [`body.${slug}`]: { text: '' } };
  }
}

function sourcePattern(slug: string, random: SeededRandom): string | readonly string[] {
  switch (random.int(1, 4)) {
    case 1:
      return `<link[^>]+href="[^"]+/${slug}/[^"]+\\.css(?:\\?v=([\\d.]+))?"\\;version:\\1`;
    case 2:
      return [`<!-- [^>]*${slug} ([\\d.]+)\\;version:\\1`, `<div[^>]+id="${slug}"`];
    case 3:
      return `<iframe[^>]*src="(?:https?:)?//(?:\\w+\\.)?${slug}\\.com/`;
    default:
      return `Powered by <a[^>]+>${slug}</a>\\;confidence:50`;
  }
}
