import { titleInXml, type FileContent } from '../files/file-content.js';
import { child, childrenOf, type XmlElement } from '../files/xml-tree.js';
import { MAX_SLIDES } from '../limits.js';
import { OdfBlocks } from './odf-blocks.js';
import { OdfObjects } from './odf-objects.js';
import { odfPart, openOdf } from './odf-package.js';
import { OdfStyles } from './odf-styles.js';

/**
 * An OpenDocument text or presentation. Slides are in their order, each under its title, with its speaker notes; hidden
 * ones are left out, and said.
 * @throws {UnreadableFile}
 */
export function readOdt(bytes: Uint8Array): FileContent {
  const parts = openOdf(bytes);
  const content = odfPart(parts, 'content.xml');
  const styles = new OdfStyles([odfPart(parts, 'styles.xml'), content]);
  const looks = { styles, objects: new OdfObjects(parts) };
  const body = child(content, 'office:body');
  const slides = child(body, 'office:presentation') ?? child(body, 'office:drawing');
  const isCut = childrenOf(slides, 'draw:page').length > MAX_SLIDES;
  return {
    html: slides ? slidesHtml(slides, looks) : [textHtml(child(body, 'office:text'), looks)],
    title: titleInXml(parts.get('meta.xml')),
    cut: isCut ? 'max_parts' : undefined,
  };
}

/** What the texts of one file share. */
interface OdfLooks {
  readonly styles: OdfStyles;
  readonly objects: OdfObjects;
}

function textHtml(text: XmlElement | undefined, { styles, objects }: OdfLooks): string {
  const blocks = new OdfBlocks(styles, objects);
  return text === undefined ? '' : blocks.read(text) + blocks.finishNotes();
}

function* slidesHtml(presentation: XmlElement, looks: OdfLooks): Generator<string> {
  const hidden: number[] = [];
  // Numbers of slides are no text of a file that has none.
  let hasText = false;
  let held = '';
  const pages = childrenOf(presentation, 'draw:page').slice(0, MAX_SLIDES);
  for (const [index, page] of pages.entries()) {
    const style = page.attributes['draw:style-name'];
    if (looks.styles.property('drawing-page', style, 'presentation:visibility') === 'hidden') {
      hidden.push(index + 1);
      continue;
    }
    const { title, html } = readSlide(page, looks);
    held += `<h2>${title === '' ? `Slide ${index + 1}` : title}</h2>${html}`;
    hasText ||= title !== '' || html !== '';
    if (!hasText) continue;
    yield held;
    held = '';
  }
  if (hasText && hidden.length > 0)
    yield `<p><em>Hidden slides, left out: ${hidden.join(', ')}.</em></p>`;
}

/** Placeholders that are the same on every slide. */
const RUNNING = new Set(['header', 'footer', 'date-time', 'page-number', 'page']);

interface OdfSlide {
  /** HTML in a line. */
  readonly title: string;
  /** What is below it. */
  readonly html: string;
}

function readSlide(page: XmlElement, { styles, objects }: OdfLooks): OdfSlide {
  const blocks = new OdfBlocks(styles, objects);
  const classOf = ({ attributes }: XmlElement): string => attributes['presentation:class'] ?? '';
  // What an empty placeholder says is for the author.
  const isFilled = ({ attributes }: XmlElement): boolean =>
    attributes['presentation:placeholder'] !== 'true';
  const shown = page.children.filter((one) => !RUNNING.has(classOf(one)) && isFilled(one));
  const titled = shown.find((one) => classOf(one) === 'title');
  const title = titled === undefined ? '' : inOneLine(blocks.read({ children: [titled] }));
  const body = blocks.read({ children: shown.filter((one) => one !== titled) });
  const notes = childrenOf(child(page, 'presentation:notes'), 'draw:frame').filter(
    (one) => classOf(one) === 'notes' && isFilled(one),
  );
  const said = blocks.read({ children: notes });
  const notesHtml = said === '' ? '' : `<h3>Notes</h3>${said}`;
  return { title, html: `${body}${notesHtml}${blocks.finishNotes()}` };
}

/** Paragraphs of a title as one text. */
const inOneLine = (html: string): string =>
  html
    .replace(/<\/?(?:p|h[1-6]|ul|ol|li|br|pre|blockquote)>/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
