import { MAX_ACTIONS_WAIT_MS, MAX_SCRIPT_CHARS, MAX_SCROLL_PX } from './action-limits.js';
import { fitsOneOf } from '../http/alternatives.js';
import {
  ACTION_TYPES,
  MAX_PRESSED_KEY_CHARS,
  MAX_ACTION_SELECTOR_CHARS,
  MAX_TEXT_CHARS,
} from './parse-actions.js';

type ActionType = (typeof ACTION_TYPES)[number];

const optionalText = (maxLength: number, description: string) => ({
  type: 'string' as const,
  nullable: true,
  maxLength,
  description,
});

const THERE = { type: 'string' as const, minLength: 1 };
const amount = (minimum: number, maximum: number) => ({
  type: 'integer' as const,
  minimum,
  maximum,
});
const WAIT_MS = amount(0, MAX_ACTIONS_WAIT_MS);

/** Required fields of an action type, and limits of its optional ones. */
function action(type: ActionType, needs: object = {}, may: object = {}) {
  const properties = { type: { type: 'string' as const, enum: [type] }, ...may, ...needs };
  return { required: Object.keys(needs), properties };
}

/** Documents the actions that {@link parseActions} accepts. */
export const ACTION_SCHEMA = {
  type: 'object' as const,
  required: ['type'],
  properties: {
    type: { type: 'string' as const, enum: [...ACTION_TYPES] },
    selector: optionalText(
      MAX_ACTION_SELECTOR_CHARS,
      'CSS selector of the element; required by click.',
    ),
    text: optionalText(
      MAX_TEXT_CHARS,
      'Text for `write`. It is typed into the element of `selector`, else into the focused field; an element without text input fails the scrape.',
    ),
    key: optionalText(MAX_PRESSED_KEY_CHARS, 'Key for `press`, such as Enter or Control+A.'),
    ms: {
      type: 'integer' as const,
      nullable: true,
      description: 'wait: milliseconds. scroll: pixels, negative scrolls up.',
    },
    script: optionalText(MAX_SCRIPT_CHARS, 'Reserved.'),
  },
  ...fitsOneOf([
    action('click', { selector: THERE }),
    action('write', { text: THERE }),
    action('press', { key: THERE }),
    action('wait', { ms: WAIT_MS }),
    action('wait', { selector: THERE }, { ms: { ...WAIT_MS, type: ['integer', 'null'] } }),
    action(
      'scroll',
      {},
      { ms: { ...amount(-MAX_SCROLL_PX, MAX_SCROLL_PX), type: ['integer', 'null'] } },
    ),
    action('screenshot'),
    action('pdf'),
  ]),
};
