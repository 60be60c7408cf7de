import {
  declare,
  joinDeclared,
  joinUses,
  readUses,
  tdmUse,
  termsUrl,
  type DeclaredUse,
} from './declared-use.js';
import { headerLinks } from './link-header.js';

/** Media type of an RSL document: other licences, such as those of Creative Commons, have no machine-readable terms. */
export const RSL_TYPE = 'application/rsl+xml';

interface DeclaredParts {
  /** Of robots.txt and of the licences it names. */
  readonly site: DeclaredUse | undefined;
  /** Of `/.well-known/tdmrep.json`. */
  readonly tdmFile: DeclaredUse | undefined;
  /** Of the page's head: see `metaUse`. */
  readonly meta: DeclaredUse | undefined;
  /** Names in lower case; repeated ones joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** Final URL of the page. */
  readonly url: string;
}

/**
 * All that is declared about a page. Of TDMRep only the closest declaration counts, that of the page, else of its
 * headers, else of the site; all others are joined.
 */
export function pageUse({
  site,
  tdmFile,
  meta,
  headers,
  url,
}: DeclaredParts): DeclaredUse | undefined {
  const header = (name: string): string | undefined => headers[name];
  const policy = termsUrl(header('tdm-policy'), url);
  const headerTdm = tdmUse(header('tdm-reservation'), policy, 'header');
  const signals = ['content-signal', 'content-usage'].map((name) => readUses(header(name) ?? ''));
  const licence = headerLinks(header('link')).find(
    ({ relations, type }) => relations.has('license') && type === RSL_TYPE,
  );
  const isTdmOfPage = meta?.aiTrain !== undefined;
  return joinDeclared([
    meta,
    ...(isTdmOfPage ? [] : [headerTdm ?? tdmFile]),
    declare('header', {
      ...joinUses(signals),
      use: signals.find(({ use }) => use !== undefined)?.use,
      license: termsUrl(licence?.target, url),
    }),
    site,
  ]);
}
