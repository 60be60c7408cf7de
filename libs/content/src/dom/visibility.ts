import { type Element } from 'domhandler';

/** Elements whose content no reader sees, or sees only as a control. */
const UNSEEN = new Set(
  'script style noscript template svg head title meta link base canvas datalist select option optgroup input textarea progress meter area object embed applet param source track frameset noframes noembed rp'.split(
    ' ',
  ),
);

const HIDING_STYLE = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;

/** Left out of Markdown and of the count of visible characters, with all it holds. */
export function isUnseen(element: Element): boolean {
  return UNSEEN.has(element.name) || isHidden(element) || isMereControl(element);
}

function isHidden({ name, attribs }: Element): boolean {
  if (attribs.hidden !== undefined || attribs['aria-hidden'] === 'true') return true;
  if (attribs.style !== undefined && HIDING_STYLE.test(attribs.style)) return true;
  return name === 'dialog' && attribs.open === undefined;
}

/**
 * A button is a control ("Accept", "Copy") unless it carries the title of what it unfolds: one
 * inside a heading, as accordions have it, or one that says so by ARIA.
 */
function isMereControl({ name, attribs, parent }: Element): boolean {
  if (name !== 'button') return false;
  if (attribs['aria-expanded'] !== undefined || attribs['aria-controls'] !== undefined)
    return false;
  return !(parent !== null && 'name' in parent && /^(?:h[1-6]|summary|dt)$/.test(parent.name));
}

/** UTF-16 units that are not white space. */
export function countInk(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 32 && code !== 0xa0) count++;
  }
  return count;
}
