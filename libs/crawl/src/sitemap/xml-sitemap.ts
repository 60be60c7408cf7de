import { BoundedText } from './bounded-text.js';
import type { EntryList } from './entry-list.js';
import { MAX_LOC_CHARS, type SitemapKind } from './sitemap-file.js';
import { XmlScanner, type XmlEvents } from './xml-scanner.js';

type Field = 'loc' | 'lastmod' | 'guid';

/** A kind of sitemap: which elements list something, and which of their children say what. */
interface Grammar {
  readonly kind: SitemapKind;
  readonly entries: Readonly<Record<string, 'links' | 'children'>>;
  readonly fields: Readonly<Record<string, Field>>;
  /** The element whose attributes have the address, where it is not a text. */
  readonly linkElement: 'link' | 'outline' | null;
}

/** Both lists are looked for in both: generators mix them up. */
const LISTS = { url: 'links', sitemap: 'children' } as const;
const OF_PROTOCOL = {
  entries: LISTS,
  fields: { loc: 'loc', lastmod: 'lastmod' },
  linkElement: null,
} as const;
const RSS: Grammar = {
  kind: 'rss',
  entries: { item: 'links' },
  fields: { link: 'loc', guid: 'guid', pubdate: 'lastmod' },
  linkElement: null,
};
const ATOM: Grammar = {
  kind: 'atom',
  entries: { entry: 'links' },
  fields: { updated: 'lastmod' },
  linkElement: 'link',
};
/** OPML 2.0: outlines within one another, each complete in itself. */
const OPML: Grammar = { kind: 'opml', entries: {}, fields: {}, linkElement: 'outline' };
/** By the local name of the root; the namespace is ignored: half of all sitemaps get it wrong. */
const GRAMMARS: ReadonlyMap<string, Grammar> = new Map([
  ['urlset', { kind: 'urlset', ...OF_PROTOCOL }],
  ['sitemapindex', { kind: 'index', ...OF_PROTOCOL }],
  ['rss', RSS],
  ['rdf', RSS],
  ['feed', ATOM],
  ['opml', OPML],
]);
/** A page where a sitemap was expected: most often the site's "not found". */
const PAGE_ROOT = 'html';

/** Attributes of Atom links and of outlines, in lower case; others are not kept. */
const LINK_ATTRIBUTES: ReadonlySet<string> = new Set('rel href type url xmlurl htmlurl'.split(' '));
/** What an outline that has a `url` is, if not a page. */
const OUTLINE_LISTS: ReadonlySet<string> = new Set(['include', 'rss', 'atom']);
const WEB_ADDRESS = /^https?:\/\//i;

/** Elements within one another that are kept apart; deeper ones are only counted. */
const MAX_DEPTH = 32;
/** Elements of a root that is no sitemap's before it is given up. */
const MAX_STRAY_ELEMENTS = 1_000;
/** `&` takes five characters as a reference. */
const MAX_RAW_CHARS = 5 * MAX_LOC_CHARS;

interface Entry {
  readonly to: 'links' | 'children';
  /** The element's name with its prefix. */
  readonly name: string;
  /** Null: too long; undefined: none yet. */
  loc: string | null | undefined;
  /** The identifier of an item, where it is an address: that of an item without a link. */
  guid: string | null;
  lastmod: string | null;
}

/** Reads urlset, sitemapindex, RSS, Atom and OPML as their tags pass. */
export class XmlSitemap implements XmlEvents {
  private readonly scanner = new XmlScanner(this);
  private grammar: Grammar | null = null;
  private rootName = '';
  private isClosed = false;
  private hasDoctype = false;
  private strayElements = 0;
  private readonly path: string[] = [];
  private deeper = 0;
  private entry: Entry | null = null;
  /** The element of an entry whose text is read just now. */
  private capture: { readonly field: Field; readonly name: string } | null = null;
  private readonly raw = new BoundedText(MAX_RAW_CHARS);
  /** Attributes of the Atom link that is read just now. */
  private link: Map<string, string> | null = null;

  constructor(private readonly entries: EntryList) {}

  get kind(): SitemapKind {
    return this.grammar?.kind ?? 'unknown';
  }

  get isListening(): boolean {
    return this.capture !== null || this.link !== null;
  }

  write(text: string): void {
    this.scanner.write(text);
  }

  end(): void {
    this.scanner.end();
    this.endEntry();
    if (this.grammar !== null && !this.isClosed && !this.entries.isFull) {
      this.entries.cut('incomplete');
    }
  }

  doctype(): void {
    this.hasDoctype = true;
  }

  open(name: string): void {
    if (this.grammar === null) this.openRoot(name);
    else this.openWithin(name, this.grammar);
    if (this.path.length < MAX_DEPTH) this.path.push(name);
    else this.deeper++;
  }

  attribute(name: string, value: string): void {
    if (this.link === null || !LINK_ATTRIBUTES.has(name) || this.link.has(name)) return;
    this.link.set(name, resolveReferences(value));
  }

  opened(): void {
    const { link, entry } = this;
    this.link = null;
    if (link !== null && this.grammar === OPML) return this.addOutline(link);
    if (link === null || entry === null || entry.loc !== undefined) return;
    const rel = link.get('rel')?.trim().toLowerCase() ?? 'alternate';
    const href = link.get('href');
    if (rel === 'alternate' && href !== undefined) entry.loc = href.trim();
  }

  /** A feed is read for the pages it names; its home is a page itself. */
  private addOutline(outline: ReadonlyMap<string, string>): void {
    const type = outline.get('type')?.trim().toLowerCase() ?? '';
    const add = (to: Entry['to'], address = ''): void => {
      const loc = address.trim();
      if (loc !== '') this.entries.add(to, loc.length > MAX_LOC_CHARS ? null : loc, null);
    };
    add('children', outline.get('xmlurl'));
    add('links', outline.get('htmlurl'));
    add(OUTLINE_LISTS.has(type) ? 'children' : 'links', outline.get('url'));
  }

  text(piece: string): void {
    if (this.capture !== null) this.raw.push(piece);
  }

  cdata(piece: string | null): void {
    if (this.capture === null) return;
    this.raw.push(piece === null ? TOO_LONG : escapeReferences(piece));
  }

  close(name: string): void {
    if (this.deeper > 0) {
      this.deeper--;
      return;
    }
    const depth = this.path.lastIndexOf(name);
    // A tag that was never opened closes nothing.
    if (depth < 0) return;
    const closed = this.path.splice(depth);
    if (this.capture !== null && closed.includes(this.capture.name)) this.endCapture();
    if (this.entry !== null && closed.includes(this.entry.name)) this.endEntry();
    if (this.grammar !== null && closed.includes(this.rootName)) this.isClosed = true;
  }

  private openRoot(name: string): void {
    if (this.entries.isFull) return;
    const grammar = GRAMMARS.get(localName(name));
    if (grammar !== undefined) {
      this.grammar = grammar;
      this.rootName = name;
    } else if (name === PAGE_ROOT || ++this.strayElements === MAX_STRAY_ELEMENTS) {
      this.entries.stop();
    }
  }

  private openWithin(name: string, grammar: Grammar): void {
    const local = localName(name);
    const to = ownValue(grammar.entries, local);
    if (to !== undefined && this.isOfSitemap(name)) return this.openEntry(to, name);
    const { entry } = this;
    if (grammar === OPML && local === OPML.linkElement) this.link = new Map();
    const isField = entry !== null && this.path.at(-1) === entry.name;
    if (!isField || prefixOf(name) !== prefixOf(entry.name)) return;
    if (local === grammar.linkElement) this.link = new Map();
    const field = ownValue(grammar.fields, local);
    if (field === undefined) return;
    this.capture = { field, name };
    this.raw.take();
  }

  /**
   * `image:url` and the like belong to extensions; right below the root a wrong prefix is forgiven.
   */
  private isOfSitemap(name: string): boolean {
    return prefixOf(name) === prefixOf(this.rootName) || this.path.at(-1) === this.rootName;
  }

  /** Also ends the entry before it, should its own end be missing. */
  private openEntry(to: Entry['to'], name: string): void {
    const { entry } = this;
    this.endEntry();
    const isUnused =
      entry?.loc === undefined && !entry?.guid && entry?.lastmod === null && entry.name === name;
    this.entry = isUnused ? entry : { to, name, loc: undefined, guid: null, lastmod: null };
  }

  private endEntry(): void {
    const { entry } = this;
    this.entry = null;
    this.capture = null;
    if (entry === null) return;
    const loc = entry.loc === undefined && entry.guid !== null ? entry.guid : entry.loc;
    if (loc !== undefined) this.entries.add(entry.to, loc, entry.lastmod);
  }

  private endCapture(): void {
    const { capture, entry } = this;
    this.capture = null;
    const raw = this.raw.take();
    if (capture === null || entry === null) return;
    const text = raw === null ? null : this.valueOf(raw);
    if (text === '') return;
    if (capture.field === 'lastmod') entry.lastmod ??= text;
    else if (capture.field === 'guid') entry.guid = text && WEB_ADDRESS.test(text) ? text : null;
    else if (entry.loc === undefined) entry.loc = text;
    else {
      // Two addresses in one entry: the tags between them are missing.
      this.openEntry(entry.to, entry.name);
      if (this.entry !== null) this.entry.loc = text;
    }
  }

  /** Empty when the value cannot be determined. */
  private valueOf(raw: string): string {
    return this.hasDoctype && namesOwnEntity(raw) ? '' : resolveReferences(raw).trim();
  }
}

/** Longer than anything that is collected. */
const TOO_LONG = 'x'.repeat(2 * MAX_RAW_CHARS + 1);

/** Elements have names such as `constructor`, too. */
function ownValue<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function prefixOf(name: string): string {
  return name.slice(0, name.indexOf(':') + 1);
}

const REFERENCE = /&(?:#(?:x([0-9a-f]{1,6})|([0-9]{1,7}))|(amp|lt|gt|quot|apos));/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};
const OWN_ENTITY = /&[A-Za-z_][\w.:-]*;/;

/**
 * Resolves the five names of XML and numbers, once; whatever else looks like a reference is left.
 */
function resolveReferences(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
    const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Whether an entity of the document's own is named: its value is not looked up. */
function namesOwnEntity(text: string): boolean {
  return text.includes('&') && OWN_ENTITY.test(text.replace(REFERENCE, ''));
}

/** Text as it would have to be written for {@link resolveReferences} to give it back. */
function escapeReferences(text: string): string {
  return text.replaceAll('&', '&amp;');
}
