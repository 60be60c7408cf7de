import { MAX_ANSWER_CHARS, MAX_ANSWER_DEPTH, MAX_ANSWER_VALUES } from '../limits.js';
import { isWithinLimits } from './json-value.js';

/**
 * The JSON value in a model's answer, which may be in a code fence, after its thoughts
 * (`<think>…</think>`) or between other words. Undefined: there is none, or it is too large.
 */
export function readAnswer(answer: string): unknown {
  const text = withoutThoughts(answer);
  if (answer.length > MAX_ANSWER_CHARS) return undefined;
  for (const candidate of [answer, text, fenced(text), embedded(text)]) {
    const value = candidate === null ? undefined : parse(candidate);
    if (value !== undefined) {
      return isWithinLimits(value, MAX_ANSWER_DEPTH, MAX_ANSWER_VALUES) ? value : undefined;
    }
  }
  return undefined;
}

/** What a model says once it has thought, when the server leaves its thoughts in the answer. */
export function withoutThoughts(answer: string): string {
  const closed = answer.lastIndexOf('</think>');
  if (closed >= 0) return answer.slice(closed + '</think>'.length).trim();
  // Still thinking when it was cut.
  return /^\s*<think>/.test(answer) ? '' : answer.trim();
}

/** What is in the first code fence; the text itself when it has none. */
export function withoutFence(text: string): string {
  return fenced(text) ?? text;
}

function fenced(text: string): string | null {
  const open = /^```[\w-]*[^\S\n]*\n/m.exec(text);
  if (open === null) return null;
  const start = open.index + open[0].length;
  const end = text.lastIndexOf('\n```');
  return text.slice(start, end >= start ? end : undefined).trim();
}

/** From the first brace or bracket to the last one that closes. */
function embedded(text: string): string | null {
  const start = text.search(/[[{]/);
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  return start < 0 || end < start ? null : text.slice(start, end + 1);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // No JSON; the caller tries another part of the text.
    return undefined;
  }
}
