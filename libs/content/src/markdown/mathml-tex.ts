import { Element } from 'domhandler';
import { walk } from '../dom/walk.js';

/** An element whose children are being rewritten. */
interface Open {
  readonly element: Element;
  readonly parts: string[];
}

/** Presentation MathML in TeX, as far as pages without a source use it; all its symbols stay. */
export function texOfMathml(math: Element): string {
  const open: Open[] = [{ element: math, parts: [] }];
  const put = (tex: string): void => void open.at(-1)?.parts.push(tex);
  walk(math, {
    text: (data) => {
      const { element } = open.at(-1) ?? { element: math };
      const token = tokenOf(element.name, data);
      if (token !== '') put(token);
    },
    enter: (element) => {
      if (element.name === 'annotation' || element.name === 'annotation-xml') return false;
      open.push({ element, parts: [] });
      return true;
    },
    leave: () => {
      const done = open.pop();
      if (done !== undefined) put(compose(done));
    },
  });
  return (open[0]?.parts ?? []).join('');
}

const FUNCTIONS = new Set(
  'arccos arcsin arctan arg cos cosh cot csc deg det dim exp gcd inf ker lim ln log max min mod sec sin sinh sup tan tanh Pr'.split(
    ' ',
  ),
);

/** Operators that show nothing: function application, invisible times, separator, plus. */
const INVISIBLE = /[\u2061-\u2064\u200b]/g;

function tokenOf(name: string, data: string): string {
  const text = data.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();
  if (text === '') return '';
  const escaped = text.replace(/[{}%#$&_]/g, '\\$&');
  if (name === 'mtext') return `\\text{${escaped}}`;
  if (name !== 'mi' || text.length === 1) return escaped;
  if (FUNCTIONS.has(text)) return `\\${text} `;
  return /^[A-Za-z]{2,}$/.test(text) ? `\\mathrm{${text}}` : escaped;
}

/** One symbol, one command or one group needs no braces around it. */
function group(tex: string): string {
  return [...tex].length === 1 ? tex : `{${tex}}`;
}

/** The base of a script: longer ones are grouped, a command with its arguments needs no group. */
const base = (tex: string): string => (/^\\?[A-Za-z]+$|^.?$/u.test(tex) ? tex : `{${tex}}`);

const ACCENTS: Readonly<Record<string, string>> = {
  '¯': 'bar',
  '‾': 'overline',
  '^': 'hat',
  '→': 'vec',
  '⃗': 'vec',
  '˙': 'dot',
  '¨': 'ddot',
  '~': 'tilde',
  '˜': 'tilde',
  '⏞': 'overbrace',
};

/** Their limits are below and above in print and as scripts in TeX. */
const LIMITS = /^(?:[∑∏∫⋃⋂⨁∐∮⋁⋀]|\\(?:lim|max|min|inf|sup|gcd|det|Pr) ?)$/u;

function compose({ element, parts }: Open): string {
  const [a = '', b = '', c = ''] = parts;
  switch (element.name) {
    case 'mfrac':
      return `\\frac{${a}}{${b}}`;
    case 'msqrt':
      return `\\sqrt{${parts.join('')}}`;
    case 'mroot':
      return `\\sqrt[${b}]{${a}}`;
    case 'msup':
      return `${base(a)}^${group(b)}`;
    case 'msub':
      return `${base(a)}_${group(b)}`;
    case 'msubsup':
      return `${base(a)}_${group(b)}^${group(c)}`;
    case 'munder':
      return LIMITS.test(a) ? `${a.trim()}_${group(b)}` : `\\underset{${b}}{${a}}`;
    case 'mover':
      return over(a, b);
    case 'munderover':
      return `${base(a)}_${group(b)}^${group(c)}`;
    case 'mtr':
      return `${parts.join(' & ')} \\\\ `;
    case 'mtable':
      return `\\begin{matrix} ${parts.join('').replace(/ ?\\\\ $/, '')} \\end{matrix}`;
    case 'mfenced':
      return fenced(element, parts);
    case 'mphantom':
      return '';
    case 'mspace':
      return ' ';
    default:
      return parts.join('');
  }
}

function over(a: string, b: string): string {
  if (LIMITS.test(a)) return `${a.trim()}^${group(b)}`;
  const accent = ACCENTS[b];
  return accent === undefined ? `\\overset{${b}}{${a}}` : `\\${accent}{${a}}`;
}

function fenced({ attribs }: Element, parts: readonly string[]): string {
  const separator = (attribs.separators ?? ',').trim().charAt(0);
  return `${attribs.open ?? '('}${parts.join(separator)}${attribs.close ?? ')'}`;
}
