import { ApiError, type PageAction } from '@app/contracts';
import { invalidRequest } from '../../http/invalid-request.js';
import { MAX_ACTIONS, MAX_ACTIONS_WAIT_MS } from '../../scrape/action-limits.js';
import { parseActions } from '../../scrape/parse-actions.js';
import { arrayOption, integerOption, isOn, readOptions, type V2Fields } from './read-options.js';
import { shotOf } from './shot.js';
import type { Warnings } from './warnings.js';

const SUPPORTED =
  'Supported are wait with `milliseconds`, click, write, press, scroll down and screenshot';

/** The actions of a scrape; undefined if there are none. @throws ApiError */
export function parseV2Actions(
  value: unknown,
  warnings: Warnings,
): readonly PageAction[] | undefined {
  if (!isOn(value)) return undefined;
  const mapped = arrayOption(value, 'actions', MAX_ACTIONS).map((entry, index) =>
    mappedAction(entry, `actions[${index}]`, warnings),
  );
  const actions = parseActions(mapped.map(({ action }) => action));
  return actions.map((action, index) => {
    const { shot } = mapped[index] ?? {};
    return action.type === 'screenshot' && shot ? { ...action, shot } : action;
  });
}

interface MappedAction {
  /** As POST /v1/scrape takes it. */
  readonly action: object;
  readonly shot?: ReturnType<typeof shotOf>;
}

function mappedAction(entry: unknown, at: string, warnings: Warnings): MappedAction {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    throw invalidRequest(`\`${at}\` must be an object with a \`type\``);
  const { type, ...options } = entry as V2Fields;
  const use = (...honoured: readonly string[]): V2Fields =>
    readOptions(options, { honoured, at: `${at}.` }, warnings);
  switch (type) {
    case 'wait':
      return { action: { type, ms: waitMs(use('milliseconds', 'selector'), at) } };
    case 'click':
      return { action: { type, ...clicked(use('selector', 'all'), at) } };
    case 'write':
      return { action: { type, ...use('text') } };
    case 'press':
      return { action: { type, ...use('key') } };
    case 'scroll':
      return { action: { type, ...scrolled(use('direction', 'selector'), at) } };
    case 'screenshot':
      return { action: { type }, shot: shotOf(options, `${at}.`, warnings) };
    default:
      throw unsupported(at, 'this type is not supported');
  }
}

function waitMs({ milliseconds, selector }: V2Fields, at: string): number {
  if (selector !== undefined) throw unsupported(at, 'waiting for a selector is not supported');
  const bounds = { min: 1, max: MAX_ACTIONS_WAIT_MS };
  const ms = integerOption(milliseconds, `${at}.milliseconds`, bounds);
  if (ms === undefined) throw unsupported(at, 'wait needs `milliseconds`');
  return ms;
}

function clicked({ selector, all }: V2Fields, at: string): object {
  if (isOn(all)) throw unsupported(at, 'clicking all matches is not supported');
  return { selector };
}

function scrolled({ direction = 'down', selector }: V2Fields, at: string): object {
  if (direction !== 'down') throw unsupported(at, 'only the direction down is supported');
  if (selector !== undefined) throw unsupported(at, 'scrolling an element is not supported');
  return {};
}

function unsupported(at: string, why: string): ApiError {
  return new ApiError('unsupported_action', { problem: `\`${at}\`: ${why}. ${SUPPORTED}` });
}
