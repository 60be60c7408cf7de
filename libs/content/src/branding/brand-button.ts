import { type Branding } from '@app/contracts';
import { isTag, type Element } from 'domhandler';
import { type ParsedPage } from '../dom/parse-html.js';
import { walk } from '../dom/walk.js';
import { MAX_BUTTONS } from '../limits.js';
import { firstColor } from './css-color.js';
import { lengthPx } from './css-values.js';
import { type PageStyles } from './page-styles.js';

type Button = NonNullable<NonNullable<Branding['components']>['buttonPrimary']>;

/** Buttons whose styles are requested, the likeliest first. */
const MAX_ASKED = 10;

/** How the main button of a page looks; undefined when none of its own has a colour. */
export function primaryButton({ document }: ParsedPage, styles: PageStyles): Button | undefined {
  const buttons: { readonly element: Element; readonly weight: number }[] = [];
  let seen = 0;
  walk(document, {
    text: () => undefined,
    enter: (element) => {
      if (!isButton(element)) return element.name !== 'template';
      seen++;
      if (seen > MAX_BUTTONS) styles.cuts.add('button_scan_cap');
      else buttons.push({ element, weight: buttonWeight(element) });
      return false;
    },
    isDone: () => seen > MAX_BUTTONS,
  });
  const likely = buttons
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, MAX_ASKED);
  for (const { element } of likely) {
    const button = lookOf(element, styles);
    if (button !== undefined) return button;
  }
  return undefined;
}

function lookOf(element: Element, styles: PageStyles): Button | undefined {
  const background = colorOf(styles.own(element, 'background-color'));
  if (background === undefined) return undefined;
  const borderRadius = radiusOf(styles.own(element, 'border-radius'));
  return { background, textColor: colorOf(styles.own(element, 'color')), borderRadius };
}

const colorOf = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : firstColor(value);

const MAX_RADIUS_CHARS = 50;

/** A radius as it is written; lists of corners and formulas are cut to what is one length. */
export function radiusOf(value: string | undefined): string | undefined {
  const first = value?.trim().split(/\s+/, 1)[0] ?? '';
  return first.length <= MAX_RADIUS_CHARS && lengthPx(first) !== undefined ? first : undefined;
}

const BUTTON_CLASS = /(?:^|[\s_-])(?:btn|button|cta)(?:$|[\s_-])/i;
const SUBMITTING = new Set(['submit', 'button']);

/** A button, or a link that is made to look like one. */
export function isButton({ name, attribs }: Element): boolean {
  if (name === 'button') return true;
  if (name === 'input') return SUBMITTING.has(attribs.type?.toLowerCase() ?? '');
  return name === 'a' && (BUTTON_CLASS.test(attribs.class ?? '') || attribs.role === 'button');
}

const PRIMARY = /(?:^|[\s_-])(?:primary|main)(?:$|[\s_-])/i;
const CALL = /(?:^|[\s_-])(?:cta|call-to-action|hero|signup|sign-up|buy|book|order)(?:$|[\s_-])/i;
const MINOR =
  /secondary|outline|ghost|tertiary|(?:btn|button)-link|close|toggle|menu|hamburger|search|icon|dismiss|prev|next|arrow|cookie|consent|disabled/i;

/** How likely it is the one that the page wants pressed; 0 or less: not that one. */
export function buttonWeight(element: Element): number {
  const { name, attribs } = element;
  const classes = `${attribs.class ?? ''} ${attribs.id ?? ''}`.slice(0, 500);
  const around = parentClasses(element);
  let weight = 1;
  if (PRIMARY.test(classes)) weight += 8;
  if (CALL.test(classes)) weight += 4;
  if (CALL.test(around)) weight += 2;
  if (attribs.type?.toLowerCase() === 'submit') weight += 1;
  if (BUTTON_CLASS.test(classes)) weight += 1;
  if (name === 'a') weight += 1;
  if (MINOR.test(classes)) weight -= PRIMARY.test(classes) ? 5 : 10;
  return weight;
}

function parentClasses({ parent }: Element): string {
  return parent !== null && isTag(parent) ? (parent.attribs.class ?? '').slice(0, 500) : '';
}
