import {
  declare,
  joinDeclared,
  ownMarkdownUrl,
  RSL_TYPE,
  tdmUse,
  termsUrl,
  type DeclaredUse,
} from '@app/uses';
import { type UrlResolver } from '../links/url-resolver.js';
import { isMarkdownType } from '../sniff-kind.js';
import { type MetaValues } from './meta-values.js';
import { type LinkElement } from './page-links.js';

/** What the head of a page declares: TDMRep and the URL of its RSL licence. */
export function metaUse(
  meta: MetaValues,
  links: readonly LinkElement[],
  resolver: UrlResolver,
): DeclaredUse | undefined {
  const licence = links.find(
    ({ relations, attribs }) => relations.has('license') && isRslType(attribs.type),
  );
  const policy = meta.first('tdm-policy');
  const policyUrl = policy === undefined ? undefined : termsUrl(resolver.resolveWeb(policy));
  return joinDeclared([
    tdmUse(meta.first('tdm-reservation'), policyUrl, 'meta'),
    declare('meta', { license: termsUrl(licence?.url) }),
  ]);
}

const isRslType = (type = ''): boolean => type.split(';', 1)[0]?.trim().toLowerCase() === RSL_TYPE;

/** The page in Markdown that its head names. */
export function linkedMarkdownUrl(links: readonly LinkElement[]): string | undefined {
  const named = links.filter(
    ({ relations, attribs: { type = '' } }) => relations.has('alternate') && isMarkdownType(type),
  );
  return ownMarkdownUrl(named.map((link) => termsUrl(link.url)));
}
