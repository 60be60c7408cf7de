/** One value of a JSON document that holds no others. */
export interface JsonMember {
  /** JSON Pointer (RFC 6901): names of members and numbers of elements. */
  readonly path: string;
  /** As it was sent; strings in one spelling. */
  readonly value: string;
  /** Equal for equal values: `1.0`, `1` and `10e-1` are one number. */
  readonly key: string;
}

/** A deeper document is compared as text. */
const MAX_DEPTH = 100;
/** All paths together: those of a deep or long-named part are repeated for each of its values. */
const MAX_PATH_CHARS = 1_000_000;

const FENCED = /^(`{3,})json\n(?<json>[^]*)\n\1\n?$/;
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],]/g;

/**
 * The values of a JSON object or array by their paths, in the order of the paths: that of members means nothing, that of
 * elements does. Null: the text is no such document, or one too deep.
 * @param text the document, or the Markdown of one
 */
export function jsonMembers(text: string): JsonMember[] | null {
  const json = (FENCED.exec(text)?.groups?.['json'] ?? text).trim();
  if (!/^[{[]/.test(json) || !isJson(json)) return null;
  const members = new MemberReader();
  for (const [token] of json.matchAll(TOKEN)) if (!members.read(token)) return null;
  return members.found.sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** An open object or array. */
interface Level {
  readonly path: string;
  readonly isArray: boolean;
  /** Values so far. */
  values: number;
  /** Of the member whose value comes next; null: its name comes next. */
  name: string | null;
}

/** Reads the tokens of valid JSON without recursion. Of members of one name each is kept. */
class MemberReader {
  readonly found: JsonMember[] = [];
  private readonly levels: Level[] = [];
  private pathChars = 0;

  /** False: the document is too deep. */
  read(token: string): boolean {
    const level = this.levels.at(-1);
    if (token === ',') return true;
    if (token === '}' || token === ']') return this.close(token);
    if (level?.isArray === false && level.name === null) {
      level.name = spelled(token).slice(1, -1).replaceAll('~', '~0').replaceAll('/', '~1');
      return true;
    }
    const path = pathOf(level);
    this.pathChars += path.length;
    if (token !== '{' && token !== '[') this.add(path, token);
    else this.levels.push({ path, isArray: token === '[', values: 0, name: null });
    return this.levels.length <= MAX_DEPTH && this.pathChars <= MAX_PATH_CHARS;
  }

  private close(token: string): boolean {
    const level = this.levels.pop();
    if (level?.values === 0) this.add(level.path, token === '}' ? '{}' : '[]');
    return true;
  }

  private add(path: string, token: string): void {
    const value = token.startsWith('"') ? spelled(token) : token;
    this.found.push({ path, value, key: /^[-\d]/.test(token) ? decimal(token) : value });
  }
}

/** The path of the next value. */
function pathOf(level: Level | undefined): string {
  if (level === undefined) return '';
  const step = level.isArray ? String(level.values) : (level.name ?? '');
  level.values++;
  level.name = null;
  return `${level.path}/${step}`;
}

/** A string with the escapes that it needs and no others. */
function spelled(token: string): string {
  return JSON.stringify(JSON.parse(token));
}

/** Powers of ten up to this length are added exactly; a longer one is in no document that means a number. */
const MAX_POWER_CHARS = 15;

/**
 * A number by its digits and its power of ten, exactly: doubles would take some numbers for equal. With a longer power it
 * is its text.
 */
function decimal(token: string): string {
  const [number = '', power = '0'] = token.toLowerCase().split('e');
  if (power.length > MAX_POWER_CHARS) return token;
  const [whole = '', fraction = ''] = number.replace('-', '').split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return '0';
  const significant = digits.replace(/(?<!0)0+$/, '');
  const dropped = digits.length - significant.length - fraction.length;
  const sign = number.startsWith('-') ? '-' : '';
  return `${sign}${significant}e${Number(power) + dropped}`;
}
