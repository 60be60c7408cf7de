import { readRsl, type LicensedContent, type OfferedLicense } from '@app/crawl';
import { declare, joinDeclared, type DeclaredUse } from '@app/uses';
import { comparedPath, longestMatches, pathRule, RULE_BYTES, type PathRule } from './path-rules.js';

type Use = 'search' | 'aiInput' | 'aiTrain';

/** Usage tokens that cover a use: of RSL 1.0, of AI Preferences, and the last of drafts of RSL. */
const COVERING: Readonly<Record<Use, ReadonlySet<string>>> = {
  search: new Set(['all', 'search']),
  aiInput: new Set(['all', 'ai-all', 'ai-input', 'ai-use', 'ai-summarize']),
  aiTrain: new Set(['all', 'ai-all', 'ai-train', 'train-ai', 'train-genai']),
};

interface Licensed extends LicensedContent {
  /** Null: of every site that refers to the document. */
  readonly origin: string | null;
}

/** What an RSL document says of pages. */
export class LicenseFile {
  private readonly rules: readonly PathRule<Licensed>[];
  readonly bytes: number;

  /** @param url of the document, as pages name it */
  constructor(
    text: string,
    private readonly url: string,
  ) {
    const contents = readRsl(text);
    this.rules = contents.map((content) => {
      const whole = /^https?:\/\//i.test(content.url) ? URL.parse(content.url) : null;
      const path = whole === null ? content.url : withoutOrigin(content.url);
      return pathRule(path, { ...content, origin: whole?.origin ?? null });
    });
    const kept = contents.reduce((sum, { licenses }) => sum + 1 + licenses.length, 0);
    this.bytes = 2 * text.length + RULE_BYTES * kept;
  }

  /** Of several contents that match a page the most specific one counts. */
  declaredUse(page: URL): DeclaredUse | undefined {
    const own = this.rules.filter(
      ({ value: { origin } }) => origin === null || origin === page.origin,
    );
    const contents = longestMatches(own, comparedPath(page));
    if (contents.length === 0) return undefined;
    return joinDeclared(
      contents.map((content) => declare('rsl', { ...usesOf(content), license: this.url })),
    );
  }
}

/** As it is written: `URL` would escape the stars of a pattern. */
function withoutOrigin(url: string): string {
  const at = url.indexOf('/', url.indexOf('//') + 2);
  return at < 0 ? '' : url.slice(at);
}

function usesOf(content: LicensedContent): Partial<Record<Use, boolean>> {
  const uses = ['search', 'aiInput', 'aiTrain'] as const;
  return Object.fromEntries(uses.map((use) => [use, verdictOn(content, use)]));
}

/** Licences are alternatives; but what one of them prohibits is refused: "the most restrictive combination". */
function verdictOn({ licenses, hasServer }: LicensedContent, use: Use): boolean | undefined {
  if (licenses.some(({ prohibits }) => covers(prohibits, use))) return false;
  const verdicts = licenses.map((license) => offerOf(license, hasServer, use));
  if (verdicts.includes(true)) return true;
  return verdicts.length === 0 || verdicts.includes(undefined) ? undefined : false;
}

/**
 * Tokens of `permits` are all that is allowed. What is allowed for a payment, or by a server that issues licences, is
 * refused: this service has none. Undefined: it depends on who asks, or the licence does not name the use.
 */
function offerOf(
  { permits, isFree, isLimited }: OfferedLicense,
  hasServer: boolean,
  use: Use,
): boolean | undefined {
  if (permits !== null && !covers(permits, use)) return false;
  if (hasServer || !isFree) return false;
  return permits === null || isLimited ? undefined : true;
}

function covers(tokens: ReadonlySet<string>, use: Use): boolean {
  return [...COVERING[use]].some((token) => tokens.has(token));
}
