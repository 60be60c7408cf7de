import { XmlScanner, type XmlEvents } from '../sitemap/xml-scanner.js';

/** One `license` of an RSL document (RSL 1.0): an offer of terms. */
export interface OfferedLicense {
  /** Usage tokens that it names as allowed; null: it names none, so it restricts none. */
  readonly permits: ReadonlySet<string> | null;
  readonly prohibits: ReadonlySet<string>;
  /** Nothing is to be paid; attribution may be asked for. */
  readonly isFree: boolean;
  /** For some users or countries only. */
  readonly isLimited: boolean;
}

/** One `content` of an RSL document. */
export interface LicensedContent {
  /** A pattern of robots.txt, or a URL that ends in one; empty: all that refers to the document. */
  readonly url: string;
  /** Licences are issued by a server, those that are free as well. */
  readonly hasServer: boolean;
  readonly licenses: readonly OfferedLicense[];
}

/** Bounds of one document; what exceeds them is left out. */
const MAX_LICENSES = 1_000;
const MAX_TOKENS_CHARS = 1_000;
const FREE_PAYMENTS: ReadonlySet<string> = new Set(['free', 'attribution']);
/** Of `content` and its parts that are read. */
const ATTRIBUTES: ReadonlySet<string> = new Set(['url', 'server', 'type']);

/** Reads an RSL document, or a feed with elements of RSL. Never throws: what is neither has no contents. */
export function readRsl(text: string): readonly LicensedContent[] {
  const reader = new LicenseReader();
  reader.scanner.write(text);
  reader.scanner.end();
  return reader.contents;
}

interface OpenLicense {
  permits: Set<string> | null;
  readonly prohibits: Set<string>;
  isLimited: boolean;
  payments: boolean[];
}

class LicenseReader implements XmlEvents {
  readonly contents: { url: string; hasServer: boolean; licenses: OfferedLicense[] }[] = [];
  readonly scanner = new XmlScanner(this);
  private rootName: string | null = null;
  private element = '';
  private attributes: Map<string, string> | null = null;
  private license: OpenLicense | null = null;
  /** Text of the element that is read just now; null: none is. */
  private tokens: string | null = null;
  private payment: { readonly type: string; hasTerms: boolean } | null = null;
  private count = 0;

  get isListening(): boolean {
    return this.attributes !== null || this.tokens !== null;
  }

  /** Entities of its own are never defined or expanded. */
  doctype(): void {}

  open(name: string): void {
    this.rootName ??= name;
    this.element = this.localName(name);
    this.attributes = this.element === '' ? null : new Map();
  }

  attribute(name: string, value: string): void {
    if (ATTRIBUTES.has(name)) this.attributes?.set(name, value);
  }

  opened(): void {
    const attributes = this.attributes ?? new Map<string, string>();
    this.attributes = null;
    const type = attributes.get('type')?.trim().toLowerCase() ?? '';
    switch (this.element) {
      case 'content':
        return this.openContent(attributes);
      case 'license':
        this.license = { permits: null, prohibits: new Set(), isLimited: false, payments: [] };
        return;
      case 'permits':
      case 'prohibits':
        if (type === 'usage') this.tokens = '';
        else if (this.license !== null) this.license.isLimited = true;
        return;
      case 'payment':
        this.payment = { type, hasTerms: false };
        return;
      default:
        // An amount, a standard licence or terms of its own.
        if (this.payment !== null && this.element !== '') this.payment.hasTerms = true;
    }
  }

  text(piece: string): void {
    if (this.tokens !== null && this.tokens.length < MAX_TOKENS_CHARS) this.tokens += piece;
  }

  cdata(piece: string | null): void {
    this.text(piece ?? '');
  }

  close(name: string): void {
    switch (this.localName(name)) {
      case 'permits':
        return this.endTokens((license, tokens) => {
          license.permits = new Set([...(license.permits ?? []), ...tokens]);
        });
      case 'prohibits':
        return this.endTokens((license, tokens) => {
          for (const token of tokens) license.prohibits.add(token);
        });
      case 'payment':
        return this.endPayment();
      case 'license':
        return this.endLicense();
    }
  }

  /** Empty for elements of others than RSL: in a feed its own have a prefix. */
  private localName(name: string): string {
    const [first = '', local] = name.split(':', 2);
    if (this.rootName === 'rsl') return local ?? first;
    return first === 'rsl' ? (local ?? '') : '';
  }

  private openContent(attributes: ReadonlyMap<string, string>): void {
    this.license = null;
    if (this.contents.length === MAX_LICENSES) return;
    const url = attributes.get('url')?.trim().replaceAll('&amp;', '&') ?? '';
    this.contents.push({ url, hasServer: attributes.has('server'), licenses: [] });
  }

  /** Tokens are separated by blanks, in earlier drafts by commas. */
  private endTokens(keep: (license: OpenLicense, tokens: readonly string[]) => void): void {
    const { license, tokens } = this;
    this.tokens = null;
    if (license === null || tokens === null) return;
    const listed = tokens
      .slice(0, MAX_TOKENS_CHARS)
      .toLowerCase()
      .split(/[\s,]+/);
    keep(
      license,
      listed.filter((token) => token !== ''),
    );
  }

  private endPayment(): void {
    const { payment, license } = this;
    this.payment = null;
    if (payment === null || license === null || license.payments.length > MAX_LICENSES) return;
    const isFree = FREE_PAYMENTS.has(payment.type) || (payment.type === '' && !payment.hasTerms);
    license.payments.push(isFree);
  }

  private endLicense(): void {
    const { license } = this;
    const content = this.contents.at(-1);
    this.license = null;
    if (license === null || content === undefined || this.count === MAX_LICENSES) return;
    this.count++;
    const { permits, prohibits, isLimited, payments } = license;
    const isFree = payments.length === 0 || payments.includes(true);
    content.licenses.push({ permits, prohibits, isLimited, isFree });
  }
}
