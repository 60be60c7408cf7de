import { type Document } from 'domhandler';
import { isUnseen } from '../dom/visibility.js';
import { walk } from '../dom/walk.js';

/** Separators of two texts; of several the last one in this order wins. */
const GAPS = ['', ' ', '\t', '\n', '\n\n'] as const;
type Gap = (typeof GAPS)[number];

const PARAGRAPHS = new Set('p h1 h2 h3 h4 h5 h6 ul ol table blockquote pre'.split(' '));
const LINES = new Set(['li', 'tr', 'br', 'dt', 'dd']);
const CELLS = new Set(['td', 'th']);

/** Text of a document without markup: a blank line between blocks, a tab between cells. */
export function documentText(document: Document): string {
  const parts: string[] = [];
  let gap: Gap = '';
  let cells = 0;
  let listings = 0;
  const edge = (name: string): void => {
    const wanted = gapAt(name, cells > 0);
    if (GAPS.indexOf(wanted) > GAPS.indexOf(gap)) gap = wanted;
  };
  walk(document, {
    text(data) {
      const text = listings > 0 ? data : data.replace(/\s+/g, ' ');
      if (text.trim() === '') {
        if (gap === '') gap = ' ';
        return;
      }
      if (parts.length > 0) parts.push(gap);
      parts.push(gap === '' || listings > 0 ? text : text.trimStart());
      gap = '';
    },
    enter(element) {
      if (isUnseen(element)) return false;
      const { name } = element;
      edge(name);
      if (CELLS.has(name)) cells++;
      if (name === 'pre') listings++;
      return true;
    },
    leave({ name }) {
      if (CELLS.has(name)) cells--;
      if (name === 'pre') listings--;
      edge(name);
    },
  });
  return parts
    .join('')
    .replace(/(?<! ) +\n/g, '\n')
    .trim();
}

function gapAt(name: string, isInCell: boolean): Gap {
  if (CELLS.has(name)) return '\t';
  if (LINES.has(name)) return '\n';
  if (!PARAGRAPHS.has(name)) return '';
  return isInCell ? ' ' : '\n\n';
}
