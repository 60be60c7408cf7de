import { shellQuoted } from '../../public/operation-example.js';

export const shellText = (value: unknown): string =>
  shellWord(typeof value === 'string' ? value : JSON.stringify(value));

/** Quoted where it has to be. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : shellQuoted(text);
}

const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/;

/** A value as JavaScript: names without quotes where they need none, texts in single quotes. */
export function inSource(value: unknown, indent = 0): string {
  if (typeof value === 'string') return quotedFor(value, "'");
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = ' '.repeat(indent + 2);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((one) => inSource(one, indent + 2))
    : Object.entries(value).map(
        ([name, one]) =>
          `${PLAIN_NAME.test(name) ? name : quotedFor(name, "'")}: ${inSource(one, indent + 2)}`,
      );
  return isList
    ? enclosed(parts, { open: '[', close: ']', room: '', inner, indent })
    : enclosed(parts, { open: '{', close: '}', room: ' ', inner, indent });
}

/** A value as Python. */
export function inPython(value: unknown, indent = 0): string {
  if (typeof value === 'string') return quotedFor(value, '"');
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return String(value);
  const inner = ' '.repeat(indent + 4);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((one) => inPython(one, indent + 4))
    : Object.entries(value).map(
        ([name, one]) => `${quotedFor(name, '"')}: ${inPython(one, indent + 4)}`,
      );
  return enclosed(parts, {
    open: isList ? '[' : '{',
    close: isList ? ']' : '}',
    room: '',
    inner,
    indent,
  });
}

const MAX_LINE_CHARS = 72;

function enclosed(
  parts: readonly string[],
  { open, close, room, inner, indent }: Enclosure,
): string {
  if (parts.length === 0) return `${open}${close}`;
  const line = `${open}${room}${parts.join(', ')}${room}${close}`;
  if (line.length <= MAX_LINE_CHARS && !line.includes('\n')) return line;
  const lines = parts.map((part) => `${inner}${part},`);
  return [open, ...lines, `${' '.repeat(indent)}${close}`].join('\n');
}

interface Enclosure {
  readonly open: string;
  readonly close: string;
  /** Inside, where all is in one line. */
  readonly room: string;
  readonly inner: string;
  readonly indent: number;
}

/** JSON's escapes are those of JavaScript and Python too. */
function quotedFor(text: string, quote: "'" | '"'): string {
  const json = JSON.stringify(text);
  return quote === '"'
    ? json
    : `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
