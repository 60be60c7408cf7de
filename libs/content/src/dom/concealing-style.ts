import { Element } from 'domhandler';

/** A longer style is data; declarations that hide text are at its start. */
const MAX_STYLE_CHARS = 2_000;

/** Any word or value without which no declaration hides anything; most styles have none. */
const SUSPECT = /none|hidden|collapse|opacity|font-size|clip|-\d{2}/i;

/** Distance off the screen: beyond any layout that moves things about on purpose. */
const FAR_PX = 999;
const FAR_EM = 99;

type Declarations = ReadonlyMap<string, string>;

/** Whether an element's own style hides its text from readers. */
export function isConcealed(element: Element, style: string): boolean {
  if (!SUSPECT.test(style)) return false;
  const declared = declarationsOf(style);
  if (declared.get('display') === 'none') return true;
  if (declared.get('content-visibility') === 'hidden') return true;
  if (isFaded(declared)) return !isEntrance(element, declared);
  return (
    isOffScreen(declared) ||
    isClipped(declared) ||
    isFlat(declared) ||
    (isZero(declared.get('font-size')) && holdsTextOnly(element))
  );
}

/** Whether a style that hides does it as panels do that unfold, and not by tricks. */
export function isFoldedStyle(style: string): boolean {
  const declared = declarationsOf(style);
  if (isOffScreen(declared) || isClipped(declared) || isZero(declared.get('font-size')))
    return false;
  const isShut = declared.get('content-visibility') === 'hidden' || isFlat(declared);
  return isShut || declared.get('display') === 'none' || isFaded(declared);
}

function declarationsOf(style: string): Declarations {
  const declared = new Map<string, string>();
  for (const declaration of style.slice(0, MAX_STYLE_CHARS).toLowerCase().split(';')) {
    const colon = declaration.indexOf(':');
    if (colon === -1) continue;
    const value = declaration.slice(colon + 1).replace('!important', '');
    declared.set(declaration.slice(0, colon).trim(), value.trim());
  }
  return declared;
}

function isFaded(declared: Declarations): boolean {
  const visibility = declared.get('visibility');
  if (visibility === 'hidden' || visibility === 'collapse') return true;
  return isZero(declared.get('opacity'));
}

const MOVING = [
  'transform',
  '-webkit-transform',
  'transition',
  'animation',
  'animation-name',
  'will-change',
  'filter',
];
const MOVED = /(?:^|[\s_-])(?:wow|aos|animate|animated|reveal|fade|fadein|motion|framer)/i;

/**
 * Text that fades in when it comes into view is the page's text: scripts start it transparent, and
 * without them (or before a scroll) it stays so.
 */
function isEntrance({ attribs }: Element, declared: Declarations): boolean {
  if (MOVING.some((property) => declared.has(property))) return true;
  if (attribs['data-w-id'] !== undefined || attribs['data-aos'] !== undefined) return true;
  return attribs.class !== undefined && MOVED.test(attribs.class);
}

/** `0`, `0px`, `.0em`, `0%`. */
const isZero = (value: string | undefined): boolean =>
  value !== undefined && /^(?:0|0?\.0+)(?:[a-z]{2,4}|%)?$/.test(value);

/** At most a pixel: what the usual "for screen readers only" styles leave. */
const isTiny = (value: string | undefined): boolean =>
  value !== undefined && (value === '1px' || isZero(value));

function isOffScreen(declared: Declarations): boolean {
  if (isFar(declared.get('text-indent')) || isFar(declared.get('margin-left'))) return true;
  if (/translate\w{0,2}\(\s*-\d{4,}px/.test(declared.get('transform') ?? '')) return true;
  const position = declared.get('position');
  if (position !== 'absolute' && position !== 'fixed') return false;
  return ['left', 'top', 'right', 'bottom'].some((side) => isFar(declared.get(side)));
}

function isFar(value: string | undefined): boolean {
  const match = /^-(\d{2,7})(?:\.\d+)?(px|em|rem|pt)?$/.exec(value ?? '');
  if (match === null) return false;
  const distance = Number(match[1]);
  return match[2] === 'em' || match[2] === 'rem' ? distance >= FAR_EM : distance >= FAR_PX;
}

function isClipped(declared: Declarations): boolean {
  if (/^rect\(\s*[01](?:px)?(?:[\s,]+[01](?:px)?){3}\s*\)$/.test(declared.get('clip') ?? ''))
    return true;
  return /^(?:inset\(\s*(?:50|100)%\s*\)|circle\(\s*0(?:px|%)?\b)/.test(
    declared.get('clip-path') ?? '',
  );
}

const HEIGHTS = ['height', 'max-height'];
const WIDTHS = ['width', 'max-width'];

/** No room, and what overflows is cut; a padding makes room (the usual frame around a video). */
function isFlat(declared: Declarations): boolean {
  const overflow = declared.get('overflow') ?? '';
  if (!overflow.includes('hidden') && !overflow.includes('clip')) return false;
  if (isPadded(declared)) return false;
  const any = (names: readonly string[], test: (value: string | undefined) => boolean): boolean =>
    names.some((name) => test(declared.get(name)));
  return (
    any(HEIGHTS, isZero) || any(WIDTHS, isZero) || (any(HEIGHTS, isTiny) && any(WIDTHS, isTiny))
  );
}

function isPadded(declared: Declarations): boolean {
  for (const [property, value] of declared) {
    if (property.startsWith('padding') && !isZero(value)) return true;
  }
  return false;
}

/** Layouts set a size of 0 to lose the gaps between children, which set their own. */
function holdsTextOnly(element: Element): boolean {
  return !element.children.some((child) => child instanceof Element && child.name !== 'br');
}
