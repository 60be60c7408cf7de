import { BREAK, LineHtml } from '../files/line-html.js';
import { linesHtml, type ListLine } from '../files/nested-list.js';
import type { Relationships } from '../files/office-package.js';
import { child, childrenOf, type XmlElement } from '../files/xml-tree.js';
import { escapeHtmlAttribute, escapeHtmlText } from '../html/escape-html.js';

/** Levels that DrawingML has. */
const MAX_LEVEL = 8;

/**
 * The paragraphs of a shape (ECMA-376 part 1, 21.1.2) as HTML.
 * @param hasBullets whether paragraphs are items unless they say otherwise: in the body of a slide
 */
export function bodyHtml(
  body: XmlElement | undefined,
  relationships: Relationships,
  hasBullets: boolean,
): string {
  const lines: ListLine[] = [];
  for (const paragraph of childrenOf(body, 'a:p')) {
    const html = paragraphHtml(paragraph, relationships);
    if (html === undefined) continue;
    const properties = child(paragraph, 'a:pPr');
    const mark = markOf(properties, hasBullets);
    const stated = Math.trunc(Number(properties?.attributes.lvl ?? 0)) || 0;
    const level = Math.min(Math.max(stated, 0), MAX_LEVEL);
    lines.push(mark === undefined ? { html } : { html, level, isNumbered: mark === 'number' });
  }
  // A text alone is no list.
  const [only] = lines;
  return linesHtml(lines.length === 1 && only ? [{ html: only.html }] : lines);
}

function markOf(
  properties: XmlElement | undefined,
  hasBullets: boolean,
): 'bullet' | 'number' | undefined {
  if (child(properties, 'a:buNone')) return undefined;
  if (child(properties, 'a:buAutoNum')) return 'number';
  const isBullet = child(properties, 'a:buChar') ?? child(properties, 'a:buBlip');
  return isBullet || hasBullets ? 'bullet' : undefined;
}

/** All text of a shape on one line: a title. */
export function lineHtml(body: XmlElement | undefined, relationships: Relationships): string {
  return childrenOf(body, 'a:p')
    .map((paragraph) => paragraphHtml(paragraph, relationships))
    .filter((html) => html !== undefined)
    .join(' ')
    .replaceAll(BREAK, ' ');
}

/** Undefined: there is nothing to see in it. */
function paragraphHtml(paragraph: XmlElement, relationships: Relationships): string | undefined {
  const line = new LineHtml();
  readRuns(paragraph, relationships, line);
  return line.hasContent ? line.finish() : undefined;
}

function readRuns(parent: XmlElement, relationships: Relationships, line: LineHtml): void {
  for (const one of parent.children) {
    if (one.name === 'a:br') line.add(BREAK, []);
    else if (one.name === 'a:r' || one.name === 'a:fld') {
      const text = child(one, 'a:t')?.text ?? '';
      // Vertical tabs are line breaks within titles.
      const html = escapeHtmlText(text).replace(/[\v]|_x000[Bb]_/g, BREAK);
      if (text !== '') line.add(html, tagsOf(child(one, 'a:rPr'), relationships));
    } else if (one.name === 'm:t') line.add(escapeHtmlText(one.text), []);
    else if (!one.name.endsWith('Pr')) readRuns(one, relationships, line);
  }
}

function tagsOf(run: XmlElement | undefined, relationships: Relationships): string[] {
  const { b, i, strike, baseline } = run?.attributes ?? {};
  const tags: string[] = [];
  const link = relationships.link(child(run, 'a:hlinkClick')?.attributes['r:id']);
  if (link !== undefined && /^(?:https?|mailto|tel):/i.test(link))
    tags.push(`a href="${escapeHtmlAttribute(link)}"`);
  if (isSet(b)) tags.push('strong');
  if (isSet(i)) tags.push('em');
  if (strike !== undefined && strike !== 'noStrike') tags.push('s');
  if (baseline !== undefined && Number(baseline) !== 0)
    tags.push(Number(baseline) > 0 ? 'sup' : 'sub');
  return tags;
}

const isSet = (value: string | undefined): boolean => value === '1' || value === 'true';
