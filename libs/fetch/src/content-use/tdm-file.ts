import { tdmUse, termsUrl, type DeclaredUse } from '@app/uses';
import {
  comparedPath,
  firstMatch,
  MAX_PATH_RULES,
  pathRule,
  RULE_BYTES,
  type PathRule,
} from './path-rules.js';

/** What `/.well-known/tdmrep.json` of an origin says of its pages (TDMRep, Final Community Group Report). */
export class TdmFile {
  private constructor(
    private readonly rules: readonly PathRule<DeclaredUse>[],
    readonly bytes: number,
  ) {}

  /** Never throws: what is no file of TDMRep says nothing. @param url of the file, after redirects */
  static parse(text: string, url: string): TdmFile {
    const written = parsed(text);
    const rules = (Array.isArray(written) ? written : [])
      .slice(0, MAX_PATH_RULES)
      .map((rule) => ruleOf(rule, url))
      .filter((rule) => rule !== null);
    return new TdmFile(rules, 2 * text.length + RULE_BYTES * rules.length);
  }

  /** "The most specific match is the first in sequence." */
  declaredUse(url: URL): DeclaredUse | undefined {
    return firstMatch(this.rules, comparedPath(url));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A file that is no JSON: the site does not use the protocol.
    return null;
  }
}

/** `location` and `tdm-reservation` are mandatory. */
function ruleOf(rule: unknown, url: string): PathRule<DeclaredUse> | null {
  if (typeof rule !== 'object' || rule === null) return null;
  const fields = new Map<string, unknown>(Object.entries(rule));
  const location = fields.get('location');
  const policy = termsUrl(fields.get('tdm-policy'), url);
  const use = tdmUse(fields.get('tdm-reservation'), policy, 'tdmrep.json');
  return typeof location === 'string' && location !== '' && use !== undefined
    ? pathRule(location, use)
    : null;
}
