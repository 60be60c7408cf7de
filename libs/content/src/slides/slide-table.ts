import type { Relationships } from '../files/office-package.js';
import { child, childrenOf, elementsBelow, type XmlElement } from '../files/xml-tree.js';
import { escapeHtmlText } from '../html/escape-html.js';
import { MAX_COLSPAN, MAX_ROWSPAN } from '../limits.js';
import { bodyHtml } from './slide-text.js';

/** A table of a slide (ECMA-376 part 1, 21.1.3). */
export function slideTableHtml(table: XmlElement, relationships: Relationships): string {
  const rows = childrenOf(table, 'a:tr').map((row, index) => {
    const name = index === 0 ? 'th' : 'td';
    const cells = childrenOf(row, 'a:tc')
      .filter(
        ({ attributes }) => !/^(?:1|true)$/.test(attributes.hMerge ?? attributes.vMerge ?? ''),
      )
      .map((cell) => {
        const { gridSpan, rowSpan } = cell.attributes;
        const wide = span('colspan', gridSpan, MAX_COLSPAN) + span('rowspan', rowSpan, MAX_ROWSPAN);
        return `<${name}${wide}>${bodyHtml(child(cell, 'a:txBody'), relationships, false)}</${name}>`;
      });
    return `<tr>${cells.join('')}</tr>`;
  });
  return rows.length === 0 ? '' : `<table role="table">${rows.join('')}</table>`;
}

function span(name: string, value: string | undefined, max: number): string {
  const count = Math.min(Number(value ?? 1) || 1, max);
  return count > 1 ? ` ${name}="${count}"` : '';
}

/** Series and categories of one chart. */
const MAX_CHART_SERIES = 100;
const MAX_CHART_POINTS = 1_000;

/** The numbers of a chart as a table, with the title above it (21.2). */
export function chartHtml(chart: XmlElement): string {
  const title = elementsBelow(child(child(chart, 'c:chart'), 'c:title'), 'a:t')
    .map(({ text }) => text)
    .join('');
  const all = elementsBelow(chart, 'c:ser');
  const series = all.slice(0, MAX_CHART_SERIES);
  const columns = series.map((one) => pointsOf(child(one, 'c:val') ?? child(one, 'c:yVal')));
  const named = series.map((one) => child(one, 'c:cat') ?? child(one, 'c:xVal'));
  const categories = pointsOf(named.find((one) => one !== undefined));
  const indexes = new Set([...categories.keys(), ...columns.flatMap((one) => [...one.keys()])]);
  if (indexes.size === 0) return titleHtml(title);
  const heads = series.map((one) => pointsOf(child(one, 'c:tx')).get(0) ?? '');
  const rows = [...indexes]
    .sort((a, b) => a - b)
    .slice(0, MAX_CHART_POINTS)
    .map((index) => [categories.get(index) ?? '', ...columns.map((one) => one.get(index) ?? '')]);
  const row = (cells: readonly string[], name: string): string =>
    `<tr>${cells.map((cell) => `<${name}>${escapeHtmlText(cell)}</${name}>`).join('')}</tr>`;
  const body = rows.map((cells) => row(cells, 'td')).join('');
  const isCut = all.length > MAX_CHART_SERIES || indexes.size > MAX_CHART_POINTS;
  const note = isCut ? '<p><em>The following values of the chart are left out.</em></p>' : '';
  return `${titleHtml(title)}<table role="table">${row(['', ...heads], 'th')}${body}</table>${note}`;
}

const titleHtml = (title: string): string =>
  title.trim() === '' ? '' : `<p>${escapeHtmlText(title)}</p>`;

/** Values of a series by their place, as the chart keeps them. */
function pointsOf(data: XmlElement | undefined): ReadonlyMap<number, string> {
  const points = new Map<number, string>();
  for (const point of elementsBelow(data, 'c:pt').slice(0, MAX_CHART_POINTS + 1)) {
    const index = Number(point.attributes.idx ?? 0);
    if (!Number.isInteger(index) || index < 0) continue;
    const value = child(point, 'c:v')?.text ?? '';
    const inner = points.get(index);
    // Categories in groups: the innermost come first, and a group is named at its first one.
    points.set(index, inner === undefined ? value : `${value} / ${inner}`);
  }
  return points;
}
