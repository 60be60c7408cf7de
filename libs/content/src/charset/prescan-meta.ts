import { encodingOfLabel } from './encoding-label.js';

/**
 * The "prescan a byte stream to determine its encoding" algorithm (HTML standard 13.2.3.2), over
 * bytes read as Latin-1: meta charset, meta http-equiv, comments and attributes of other tags
 * skipped, UTF-16 read as UTF-8. Falls back to the XML declaration. `head` is already cut.
 */
export function prescanMeta(head: string): string | undefined {
  let at = 0;
  while ((at = head.indexOf('<', at)) !== -1) {
    if (head.startsWith('<!--', at)) {
      at = skipComment(head, at);
    } else if (META_TAG.test(head.slice(at, at + 6))) {
      const tag = readAttributes(head, at + 6);
      const encoding = encodingOfMeta(tag.attributes);
      if (encoding !== undefined) return encoding;
      at = tag.end;
    } else if (TAG_START.test(head.slice(at, at + 3))) {
      at = readAttributes(head, endOfName(head, at + 1)).end;
    } else if (/^<[!/?]/.test(head.slice(at, at + 2))) {
      at = endOfBogus(head, at);
    } else {
      at++;
    }
  }
  return encodingOfXmlDeclaration(head);
}

const META_TAG = /^<meta[\t\n\f\r /]$/i;
const TAG_START = /^<\/?[a-z]/i;

function skipComment(head: string, start: number): number {
  // `<!-->` is a whole comment: the closing dashes may be the opening ones.
  const end = head.indexOf('-->', start + 2);
  return end === -1 ? head.length : end + 3;
}

function endOfBogus(head: string, start: number): number {
  const end = head.indexOf('>', start);
  return end === -1 ? head.length : end + 1;
}

function endOfName(head: string, start: number): number {
  NAME_END.lastIndex = start;
  return NAME_END.exec(head)?.index ?? head.length;
}

const NAME_END = /[\t\n\f\r >]/g;

interface Attributes {
  readonly attributes: ReadonlyMap<string, string>;
  readonly end: number;
}

/** name, optional `=` and value in double, single or no quotes; sticky, linear. */
const ATTRIBUTE =
  /[\t\n\f\r /]*(?:(>)|([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >"'][^\t\n\f\r >]*)?))?)/y;

function readAttributes(head: string, start: number): Attributes {
  const attributes = new Map<string, string>();
  ATTRIBUTE.lastIndex = start;
  let match: RegExpExecArray | null;
  let end = start;
  while ((match = ATTRIBUTE.exec(head)) !== null) {
    end = ATTRIBUTE.lastIndex;
    const [, close, name, double, single, bare] = match;
    if (close !== undefined || name === undefined) break;
    const key = name.toLowerCase();
    if (!attributes.has(key)) {
      attributes.set(key, (double ?? single ?? bare ?? '').toLowerCase());
    }
  }
  return { attributes, end };
}

function encodingOfMeta(attributes: ReadonlyMap<string, string>): string | undefined {
  const charset = attributes.get('charset');
  if (charset !== undefined) return declaredEncoding(charset);
  const content = attributes.get('content');
  if (content === undefined || attributes.get('http-equiv') !== 'content-type') return undefined;
  const label = charsetOfContent(content);
  return label === undefined ? undefined : declaredEncoding(label);
}

/** "Extracting a character encoding from a meta element" (HTML standard 2.4.1). */
export function charsetOfContent(content: string): string | undefined {
  const match = /charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r ;"']+))/i.exec(
    content,
  );
  return match === null ? undefined : (match[1] ?? match[2] ?? match[3]);
}

function encodingOfXmlDeclaration(head: string): string | undefined {
  const declaration = /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"'>]+)["']/i.exec(head);
  return declaration?.[1] === undefined ? undefined : declaredEncoding(declaration[1]);
}

/** A declaration read as ASCII cannot be UTF-16; and x-user-defined never means itself here. */
function declaredEncoding(label: string): string | undefined {
  const encoding = encodingOfLabel(label);
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return 'utf-8';
  return encoding === 'x-user-defined' ? 'windows-1252' : encoding;
}
