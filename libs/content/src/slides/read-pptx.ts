import { titleInXml, type FileContent } from '../files/file-content.js';
import { OfficePackage, type Relationships } from '../files/office-package.js';
import { UnreadableFile } from '../files/unreadable-file.js';
import { unpackZip } from '../files/unpack-zip.js';
import { child, childrenOf, elementsBelow, type XmlElement } from '../files/xml-tree.js';
import { escapeHtmlAttribute } from '../html/escape-html.js';
import { MAX_SLIDES } from '../limits.js';
import { chartHtml, slideTableHtml } from './slide-table.js';
import { bodyHtml, lineHtml } from './slide-text.js';

const WANTED =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|docProps\/core\.xml|ppt\/(?:(?:slides|notesSlides|charts|diagrams)\/)?(?:_rels\/)?[\w .-]+\.(?:xml|rels))$/i;

/**
 * The slides of a presentation (ECMA-376 part 1, 19) in their order, each under its title, with its speaker notes.
 * Hidden slides are left out, and said.
 * @throws {UnreadableFile}
 */
export function readPptx(bytes: Uint8Array): FileContent {
  const parts = unpackZip(bytes, WANTED);
  const file = new OfficePackage(parts);
  const main = file.related('', 'officeDocument', 'ppt/presentation.xml');
  const presentation = file.read(main);
  if (presentation === undefined)
    throw new UnreadableFile('malformed', 'is damaged: its presentation is missing');
  const targets = file.relationships(main);
  const all = childrenOf(child(presentation, 'p:sldIdLst'), 'p:sldId').map(
    ({ attributes }) => targets.get(attributes['r:id'])?.target,
  );
  const slides = all.slice(0, MAX_SLIDES);
  const unread = slides.every((name) => file.has(name)) ? undefined : 'unreadable_parts';
  return {
    html: slidesHtml(file, slides),
    title: titleInXml(parts.get('docProps/core.xml')),
    get cut() {
      return all.length > MAX_SLIDES ? 'max_parts' : (unread ?? file.links.cut);
    },
  };
}

/**
 * Nothing when no shown slide has words: headings that are made up are none.
 * @param slides names of their parts
 */
function* slidesHtml(
  file: OfficePackage,
  slides: readonly (string | undefined)[],
): Generator<string> {
  const hidden: number[] = [];
  const drawn = new Set<string>();
  /** Slides before the first one with words. */
  let waiting: string | undefined = '';
  for (const [index, name] of slides.entries()) {
    if (name === undefined) continue;
    const slide = file.read(name);
    if (slide === undefined) continue;
    if (/^(?:0|false)$/.test(slide.attributes.show ?? '')) {
      hidden.push(index + 1);
      continue;
    }
    const { title, html } = new SlideReader(file, name, drawn).read(slide);
    const shown = `<h2>${title === '' ? `Slide ${index + 1}` : title}</h2>${html}`;
    if (waiting === undefined) yield shown;
    else if (title === '' && html === '') waiting += shown;
    else {
      yield waiting + shown;
      waiting = undefined;
    }
  }
  if (hidden.length > 0 && waiting === undefined)
    yield `<p><em>Hidden slides, left out: ${hidden.join(', ')}.</em></p>`;
}

/** Placeholders that are the same on every slide. */
const RUNNING = new Set(['dt', 'ftr', 'hdr', 'sldNum', 'sldImg']);

const TITLES = new Set(['title', 'ctrTitle']);

class SlideReader {
  private readonly relationships: Relationships;
  private title = '';
  private html = '';

  /** @param drawn parts of charts and diagrams that were shown */
  constructor(
    private readonly file: OfficePackage,
    private readonly name: string,
    private readonly drawn: Set<string>,
  ) {
    this.relationships = file.relationships(name);
  }

  /** Its title as HTML, and all else of it. */
  read(slide: XmlElement): { readonly title: string; readonly html: string } {
    this.readShapes(child(child(slide, 'p:cSld'), 'p:spTree'));
    return { title: this.title, html: this.html + this.notes() };
  }

  private readShapes(tree: XmlElement | undefined): void {
    for (const shape of tree?.children ?? []) this.readShape(shape);
  }

  private readShape(shape: XmlElement): void {
    switch (shape.name) {
      case 'p:sp':
        return this.readText(shape);
      case 'p:grpSp':
        return this.readShapes(shape);
      case 'p:graphicFrame':
        return this.readFrame(shape);
      case 'p:pic':
        return this.readPicture(shape);
      case 'mc:AlternateContent': {
        // The first form that shows something.
        const before = this.html.length;
        for (const form of shape.children) if (this.html.length === before) this.readShapes(form);
        return;
      }
      default:
        return undefined;
    }
  }

  private readText(shape: XmlElement): void {
    if (isHidden(shape)) return;
    const body = child(shape, 'p:txBody');
    const holder = placeholderOf(shape);
    if (holder !== undefined && RUNNING.has(holder)) return;
    if (holder !== undefined && TITLES.has(holder) && this.title === '') {
      this.title = lineHtml(body, this.relationships);
      return;
    }
    this.html += bodyHtml(body, this.relationships, holder === 'body' || holder === 'obj');
  }

  private readFrame(frame: XmlElement): void {
    if (isHidden(frame)) return;
    const data = child(child(frame, 'a:graphic'), 'a:graphicData');
    const table = child(data, 'a:tbl');
    if (table !== undefined) this.html += slideTableHtml(table, this.relationships);
    const chart = this.partOf(child(data, 'c:chart')?.attributes['r:id']);
    if (chart !== undefined) this.html += chartHtml(chart);
    const diagram = this.partOf(child(data, 'dgm:relIds')?.attributes['r:dm']);
    // Points of the text, among those that only arrange it.
    for (const point of elementsBelow(diagram, 'dgm:t'))
      this.html += bodyHtml(point, this.relationships, false);
    if (table === undefined && chart === undefined && diagram === undefined)
      this.html += pictureHtml(frame);
  }

  private readPicture(picture: XmlElement): void {
    if (!isHidden(picture)) this.html += pictureHtml(picture);
  }

  /** The part of a chart or diagram; each is shown once, however often it is named. */
  private partOf(id: string | undefined): XmlElement | undefined {
    const name = this.relationships.get(id)?.target;
    if (name === undefined || this.drawn.has(name)) return undefined;
    this.drawn.add(name);
    return this.file.read(name);
  }

  private notes(): string {
    const name = this.file.related(this.name, 'notesSlide', '');
    const tree = child(child(this.file.read(name), 'p:cSld'), 'p:spTree');
    const relationships = this.file.relationships(name);
    let html = '';
    for (const shape of elementsBelow(tree, 'p:sp')) {
      if (placeholderOf(shape) !== 'body') continue;
      html += bodyHtml(child(shape, 'p:txBody'), relationships, false);
    }
    return html === '' ? '' : `<h3>Notes</h3>${html}`;
  }
}

/** Properties that all shapes have. */
const commonOf = (shape: XmlElement): XmlElement | undefined =>
  child(
    shape.children.find(({ name }) => /^p:nv\w+Pr$/.test(name)),
    'p:cNvPr',
  );

const isHidden = (shape: XmlElement): boolean =>
  /^(?:1|true)$/.test(commonOf(shape)?.attributes.hidden ?? '');

/** The kind of placeholder that a shape fills; undefined: a shape of its own. */
function placeholderOf(shape: XmlElement): string | undefined {
  const holder = child(child(child(shape, 'p:nvSpPr'), 'p:nvPr'), 'p:ph');
  return holder && (holder.attributes.type ?? 'obj');
}

/** A picture is its description. Names that programs make up are none. */
function pictureHtml(shape: XmlElement): string {
  const { descr = '', title = '' } = commonOf(shape)?.attributes ?? {};
  const text = descr.trim() === '' ? title : descr;
  if (text.trim() === '') return '';
  return `<p><img src="" alt="${escapeHtmlAttribute(text)}"></p>`;
}
