import { child, type XmlElement } from '../files/xml-tree.js';

/** The `w:val` of a child. */
export const valueIn = (element: XmlElement | undefined, name: string): string | undefined =>
  child(element, name)?.attributes['w:val'];

/** A property that is there is on, unless it says otherwise; undefined when it is not there. */
export function isTurnedOn(property: XmlElement | undefined, name = 'w:val'): boolean | undefined {
  return property && !/^(?:0|false|off|none)$/.test(property.attributes[name] ?? '');
}

/** Neither these nor what is in them is shown. */
const UNSEEN = new Set(['w:del', 'w:moveFrom', 'w:tblGrid', 'w:rt', 'v:shapetype']);

/** Whether nothing in an element is text of the document. The names of properties end in `Pr`. */
export const holdsNoText = ({ name, attributes }: XmlElement): boolean =>
  name.endsWith('Pr') || UNSEEN.has(name) || /visibility:\s*hidden/.test(attributes.style ?? '');
