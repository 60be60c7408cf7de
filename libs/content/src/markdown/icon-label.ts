import { type Element } from 'domhandler';
import { collapse } from '../dom/walk.js';

/** What a drawn sign says to those who do not see it; undefined for what is no sign. */
export function iconLabel({ name, attribs }: Element): string | undefined {
  if (attribs.role !== 'img' || !/^(?:svg|i|span)$/.test(name)) return undefined;
  return collapse(attribs['aria-label'] ?? '');
}

/** "[edit]" beside a heading of a wiki: a control that is written as a link. */
export function isEditLink({ attribs }: Element): boolean {
  return attribs.class !== undefined && /(?:^|\s)mw-editsection(?:\s|$)/.test(attribs.class);
}
