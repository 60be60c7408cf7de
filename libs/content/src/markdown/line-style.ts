import { type Element } from 'domhandler';

/** A style that puts an inline element on lines of its own. */
const LINE_STYLE = /(?:^|[;\s])display\s*:\s*(?:block|flex|grid|table-row|table\b)/i;

export const hasLineStyle = ({ attribs }: Element): boolean =>
  attribs.style !== undefined && LINE_STYLE.test(attribs.style);

/**
 * Whether readers see space around an inline element that the source has none around: by its style,
 * or as elements of the page's own making (`<app-price>`) mostly have in a row.
 */
export function standsApart(element: Element, neighbour: Element['next']): boolean {
  if (hasLineStyle(element)) return true;
  return element.name.includes('-') && neighbour !== null && 'name' in neighbour;
}
