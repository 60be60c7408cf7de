import { ApiError, type PageAction } from '@app/contracts';
import {
  DEFAULT_SCROLL_PX,
  MAX_ACTIONS,
  MAX_ACTIONS_WAIT_MS,
  MAX_SCRIPT_CHARS,
  MAX_SCROLL_PX,
} from './action-limits.js';
import { invalidRequest } from '../http/invalid-request.js';

/** Types of the specification that run; `executeJavascript` is the one that does not. */
export const ACTION_TYPES = [
  'click',
  'scroll',
  'wait',
  'write',
  'press',
  'screenshot',
  'pdf',
] as const;

const FIELDS = ['type', 'selector', 'text', 'key', 'ms', 'script'];
export const MAX_ACTION_SELECTOR_CHARS = 1_000;
export const MAX_TEXT_CHARS = 10_000;
export const MAX_PRESSED_KEY_CHARS = 50;

/**
 * Parses the `actions` of a scrape (specification: POST /v1/scrape), all before anything runs.
 * @throws ApiError that names the action's index and the problem
 */
export function parseActions(value: unknown): readonly PageAction[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalidRequest('`actions` must be an array');
  if (value.length > MAX_ACTIONS) {
    throw invalidRequest(`\`actions\` may hold at most ${MAX_ACTIONS} entries`);
  }
  value.forEach(refuseScript);
  const actions = value.map(parseAction);
  const waitMs = actions.reduce((sum, one) => sum + (one.type === 'wait' ? one.ms : 0), 0);
  if (waitMs > MAX_ACTIONS_WAIT_MS) {
    throw invalidRequest(
      `\`actions\` wait ${waitMs} ms together; at most ${MAX_ACTIONS_WAIT_MS} are allowed`,
    );
  }
  return actions;
}

/** A script is reported before any other problem of the list (specification: POST /v1/scrape). */
function refuseScript(value: unknown, index: number): void {
  const { type, script } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof script === 'string' && script.length > MAX_SCRIPT_CHARS) {
    throw invalidRequest(
      `\`actions[${index}]\`: \`script\` is longer than ${MAX_SCRIPT_CHARS} characters`,
    );
  }
  if (type === 'executeJavascript') throw new ApiError('action_not_available');
}

function parseAction(value: unknown, index: number): PageAction {
  const at = `\`actions[${index}]\``;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest(`${at} must be an object with a \`type\``);
  }
  const fields = new Fields(value as Readonly<Record<string, unknown>>, at);
  const type = fields.text('type', 50);
  const selector = fields.optionalText('selector', MAX_ACTION_SELECTOR_CHARS);
  const ms = fields.integer('ms');
  const text = fields.optionalText('text', MAX_TEXT_CHARS);
  const key = fields.optionalText('key', MAX_PRESSED_KEY_CHARS);
  fields.optionalText('script', MAX_SCRIPT_CHARS);
  const aim = selector === undefined ? {} : { selector };
  switch (type) {
    case 'click':
      return { type, selector: fields.required('selector', selector) };
    case 'scroll':
      return {
        type,
        ...aim,
        px: within(at, ms ?? DEFAULT_SCROLL_PX, -MAX_SCROLL_PX, MAX_SCROLL_PX),
      };
    case 'wait':
      return { type, ...aim, ms: within(at, waitMs(at, ms, selector), 0, MAX_ACTIONS_WAIT_MS) };
    case 'write':
      return { type, ...aim, text: fields.required('text', text) };
    case 'press':
      return { type, ...aim, key: fields.required('key', key) };
    case 'screenshot':
    case 'pdf':
      return { type };
    default:
      throw invalidRequest(`${at} has an unknown type: known are ${ACTION_TYPES.join(', ')}`);
  }
}

/** How long to wait for an element if no time is given. */
const SELECTOR_WAIT_MS = 5_000;

function waitMs(at: string, ms: number | undefined, selector: string | undefined): number {
  if (ms !== undefined) return ms;
  if (selector !== undefined) return SELECTOR_WAIT_MS;
  throw invalidRequest(`${at} needs \`ms\`, or a \`selector\` to wait for`);
}

function within(at: string, value: number, min: number, max: number): number {
  if (value >= min && value <= max) return value;
  throw invalidRequest(`${at}: \`ms\` must be from ${min} to ${max}`);
}

/** Reads the fields of one action; an unknown one is an error. */
class Fields {
  constructor(
    private readonly value: Readonly<Record<string, unknown>>,
    private readonly at: string,
  ) {
    const unknown = Object.keys(value).find((name) => !FIELDS.includes(name));
    if (unknown !== undefined) {
      throw invalidRequest(
        `${at} has an unknown field \`${unknown.slice(0, 50)}\`: known are ${FIELDS.join(', ')}`,
      );
    }
  }

  text(name: string, maxChars: number): string {
    return this.required(name, this.optionalText(name, maxChars));
  }

  optionalText(name: string, maxChars: number): string | undefined {
    const value = this.value[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'string') throw invalidRequest(`${this.at}: \`${name}\` must be a string`);
    if (value.length > maxChars) {
      throw invalidRequest(`${this.at}: \`${name}\` is longer than ${maxChars} characters`);
    }
    return value;
  }

  integer(name: string): number | undefined {
    const value = this.value[name];
    if (value === undefined || value === null) return undefined;
    if (!Number.isInteger(value))
      throw invalidRequest(`${this.at}: \`${name}\` must be a whole number`);
    return value as number;
  }

  required(name: string, value: string | undefined): string {
    if (value === undefined || value === '') throw invalidRequest(`${this.at} needs \`${name}\``);
    return value;
  }
}
