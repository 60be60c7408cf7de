import { isTag, isText, type ChildNode, type Element } from 'domhandler';
import { DomUtils } from 'htmlparser2';
import { parseHtml } from '../src/dom/parse-html.js';
import { GOLDEN_TABLES } from './golden-tables.js';
import { markdownToHtml, markdownOf } from './rendered.js';

/** Rows of cells of the first table that an independent reader sees in Markdown. */
function gridOf(markdown: string): string[][] {
  const [table] = DomUtils.getElementsByTagName('table', parseHtml(markdownToHtml(markdown)));
  if (table === undefined) return [];
  return DomUtils.getElementsByTagName('tr', table).map((row) =>
    row.children.filter((child): child is Element => isTag(child)).map((cell) => shown(cell)),
  );
}

function shown(node: ChildNode): string {
  if (isText(node)) return node.data;
  if (!isTag(node)) return '';
  if (node.name === 'br') return '/';
  if (node.name === 'img') return `[${node.attribs.alt}]`;
  return node.children.map((child) => shown(child)).join('');
}

describe('tables as an independent reader of Markdown sees them', () => {
  it.each(GOLDEN_TABLES.map(([name, html, ...rows]) => [name, html, rows] as const))(
    '%s',
    (_, html, rows) => {
      expect(gridOf(markdownOf(html))).toEqual(rows);
    },
  );
});
