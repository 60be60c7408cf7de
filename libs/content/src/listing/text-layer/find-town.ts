import { type LayerFields } from '../listing-values.js';
import { selectorOf } from '../page-text/selector-of.js';
import { usState } from '../values/us-states.js';
import { ownLines, type TextPage } from './text-page.js';

const TOWN =
  /^(?:location:?\s|based in\s)?(\p{Lu}[\p{L}.'-]*(?:\s(?:\p{Lu}[\p{L}.'-]*|of|de|la|the|du)){0,3}),\s(\p{Lu}[\p{L}.]{1,20}(?:\s\p{Lu}\p{L}{1,12})?)$/u;

/** A line that is nothing but `Kansas City, MO`: all the address that some businesses give. */
export function findTown(page: TextPage): LayerFields {
  for (const { text, element } of ownLines(page)) {
    const match = text.length <= 60 ? TOWN.exec(text) : null;
    const state = usState(match?.[2] ?? '');
    if (match?.[1] === undefined || state === undefined) continue;
    const path = selectorOf(element);
    return { city: { value: match[1], path }, state: { value: state, path } };
  }
  return {};
}
