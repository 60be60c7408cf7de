import type { ZipParts } from '../files/unpack-zip.js';
import { child, decodeXml, elementsBelow, parseXml, type XmlElement } from '../files/xml-tree.js';

/** What a frame shows of a part of its own. */
export interface OdfObject {
  /** MathML, as HTML has it. */
  readonly formula?: string;
  /** The numbers of a chart: a table. */
  readonly chart?: XmlElement;
}

const NOTHING: OdfObject = {};

/** Formulas and charts of a file. Each is read once, however often it is named. */
export class OdfObjects {
  private readonly ofFrames = new Map<XmlElement, OdfObject>();
  private readonly read = new Set<string>();

  constructor(private readonly parts: ZipParts) {}

  /** @throws {UnreadableFile} */
  of(frame: XmlElement): OdfObject {
    const address = child(frame, 'draw:object')?.attributes['xlink:href'];
    if (address === undefined) return NOTHING;
    const known = this.ofFrames.get(frame) ?? this.readPart(address.replace(/^\.\//, ''));
    this.ofFrames.set(frame, known);
    return known;
  }

  private readPart(folder: string): OdfObject {
    const data = this.read.has(folder) ? undefined : this.parts.get(`${folder}/content.xml`);
    this.read.add(folder);
    if (data === undefined) return NOTHING;
    const source = decodeXml(data);
    if (source.includes('<office:chart')) return chartIn(source);
    const math = source.replace(/<(\/?)math:/g, '<$1');
    const [start, end] = [math.indexOf('<math'), math.lastIndexOf('</math>')];
    return start === -1 || end < start
      ? NOTHING
      : { formula: math.slice(start, end + '</math>'.length) };
  }
}

function chartIn(source: string): OdfObject {
  const root = parseXml(source, { keepsOrder: true });
  const [table] = elementsBelow(child(child(root, 'office:body'), 'office:chart'), 'table:table');
  return table === undefined ? NOTHING : { chart: table };
}
