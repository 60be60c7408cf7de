import type { PageMetadata, ScrapeTask } from '@app/contracts';

/** Uses of a page that its site may allow or refuse (Content Signals). */
export const CONTENT_USES = [
  'search',
  'ai-input',
  'ai-train',
] as const satisfies readonly NonNullable<ScrapeTask['respectUse']>[];
export type ContentUse = (typeof CONTENT_USES)[number];

/** What is declared about the use of a page. */
export type DeclaredUse = NonNullable<PageMetadata['contentUse']>;

/** Where it is declared. */
export const USE_SOURCES = ['robots.txt', 'header', 'meta', 'tdmrep.json', 'rsl'] as const;
type UseSource = DeclaredUse['sources'][number];

/** How far content may be reused, in ascending order. */
export const USE_LEVELS = ['immediate', 'reference', 'full'] as const;

/** The part of a declaration that allows or refuses. */
export type Uses = Pick<DeclaredUse, 'search' | 'aiInput' | 'aiTrain' | 'use'>;

export const USE_FIELDS = {
  search: 'search',
  'ai-input': 'aiInput',
  'ai-train': 'aiTrain',
} as const satisfies Record<ContentUse, keyof Uses>;

/** Names of Content-Signal and, the last, of Content-Usage (draft-ietf-aipref-vocab), which shares `search`. */
const FIELD_OF = new Map<string, keyof Omit<Uses, 'use'>>([
  ...Object.entries(USE_FIELDS),
  ['train-ai', 'aiTrain'],
]);
const VALUES: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['y', true],
  ['no', false],
  ['n', false],
]);
/** A longer declaration is cut; real ones have fewer than 100. */
const MAX_USES_CHARS = 1_000;

/**
 * Reads the value of Content-Signal (`search=yes, ai-train=no`) or Content-Usage (`train-ai=n`), of a header or of
 * robots.txt. Unknown names, values and parameters say nothing; of a repeated name the last value counts (RFC 9651).
 */
export function readUses(text: string): Uses {
  const uses: { -readonly [Field in keyof Uses]: Uses[Field] } = {};
  for (const part of text.slice(0, MAX_USES_CHARS).toLowerCase().split(',')) {
    const [name = '', value = ''] = (part.split(';', 1)[0] ?? '').split('=', 2);
    const field = FIELD_OF.get(name.trim());
    if (field !== undefined) uses[field] = VALUES.get(value.trim());
    else if (name.trim() === 'use') uses.use = USE_LEVELS.find((level) => level === value.trim());
  }
  return uses;
}

/** Undefined: nothing is declared. */
export function declare(
  source: UseSource,
  said: Omit<DeclaredUse, 'sources'>,
): DeclaredUse | undefined {
  const fields = Object.entries(said).filter(([, value]) => value !== undefined);
  return fields.length === 0 ? undefined : { ...Object.fromEntries(fields), sources: [source] };
}

/**
 * All declarations about one page as one: what one of them refuses is refused, whatever others allow
 * (draft-ietf-aipref-vocab, Combining Preferences).
 */
export function joinDeclared(parts: readonly (DeclaredUse | undefined)[]): DeclaredUse | undefined {
  const said = parts.filter((part) => part !== undefined);
  if (said.length === 0) return undefined;
  const levels = said.flatMap(({ use }) => (use === undefined ? [] : [use]));
  const joined: Omit<DeclaredUse, 'sources'> = {
    ...joinUses(said),
    use: USE_LEVELS.find((level) => levels.includes(level)),
    license: said.find(({ license }) => license !== undefined)?.license,
    tdmPolicy: said.find(({ tdmPolicy }) => tdmPolicy !== undefined)?.tdmPolicy,
  };
  const fields = Object.entries(joined).filter(([, value]) => value !== undefined);
  const sources = [...new Set(said.flatMap((part) => part.sources))];
  return { ...Object.fromEntries(fields), sources };
}

/** The strictest of several statements on each use. */
export function joinUses(said: readonly Uses[]): Omit<Uses, 'use'> {
  const strictest = (field: keyof Omit<Uses, 'use'>): boolean | undefined => {
    const values = said.map((uses) => uses[field]);
    return values.includes(false) ? false : values.find((value) => value !== undefined);
  };
  const [search, aiInput, aiTrain] = [
    strictest('search'),
    strictest('aiInput'),
    strictest('aiTrain'),
  ];
  return {
    ...(search === undefined ? {} : { search }),
    ...(aiInput === undefined ? {} : { aiInput }),
    ...(aiTrain === undefined ? {} : { aiTrain }),
  };
}

/** Whether a use is refused. One that nothing speaks of is not. */
export function refusesUse(declared: DeclaredUse | undefined, use: ContentUse): boolean {
  return declared?.[USE_FIELDS[use]] === false;
}

/** Longest URL of a licence or policy that is kept. */
const MAX_TERMS_URL_CHARS = 2_048;

/** Absolute URL of the web; undefined for anything else. */
export function termsUrl(written: unknown, base?: string): string | undefined {
  if (typeof written !== 'string' || written.length > MAX_TERMS_URL_CHARS) return undefined;
  // Empty, it would be the base.
  if (written.trim() === '') return undefined;
  const url = URL.parse(written.trim(), base);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  return url.href.length > MAX_TERMS_URL_CHARS ? undefined : url.href;
}

/**
 * A reservation of TDMRep: 1 or 0; other values are as none. The rights to "automated analytical techniques" that
 * generate information from text are those of training and of answers alike (DSM directive, articles 2 and 4); the
 * group that wrote TDMRep excepts search engines from it.
 * @param reservation as written: a header, a meta element or JSON
 */
export function tdmUse(
  reservation: unknown,
  policy: string | undefined,
  source: UseSource,
): DeclaredUse | undefined {
  const value = String(reservation ?? '').trim();
  if (value === '0') return declare(source, { aiInput: true, aiTrain: true });
  if (value !== '1') return undefined;
  return declare(source, { aiInput: false, aiTrain: false, tdmPolicy: policy });
}
