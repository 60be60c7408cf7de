import { decodeXml, type DocxParts } from './unpack-docx.js';
import { parseXml, type XmlElement } from './xml-tree.js';

export interface Relationship {
  /** The last part of its type's address: `styles`, `hyperlink`. */
  readonly type: string;
  /** The name of a part, or the address of something outside of the file. */
  readonly target: string;
}

export type Relationships = ReadonlyMap<string, Relationship>;

/** The parts of a document file and how they refer to each other. */
export class DocxPackage {
  private readonly known = new Map<string, Relationships>();

  constructor(private readonly parts: DocxParts) {}

  /**
   * The tree of a part; undefined when there is none.
   * @throws {XmlError}
   */
  read(name: string | undefined): XmlElement | undefined {
    const data = name === undefined ? undefined : this.parts.get(name);
    return data && parseXml(decodeXml(data));
  }

  /** The part that another one names as its styles, notes …, or the one with the usual name. */
  related(from: string, type: string, usual = `word/${type}.xml`): string {
    for (const one of this.relationships(from).values()) {
      if (one.type === type && this.parts.has(one.target)) return one.target;
    }
    return usual;
  }

  /** Of a part, by id; of the whole file when the name is empty. */
  relationships(from: string): Relationships {
    const known = this.known.get(from) ?? this.readRelationships(from);
    this.known.set(from, known);
    return known;
  }

  private readRelationships(from: string): Relationships {
    const slash = from.lastIndexOf('/') + 1;
    const list = this.read(`${from.slice(0, slash)}_rels/${from.slice(slash)}.rels`);
    const found = new Map<string, Relationship>();
    for (const { name, attributes } of list?.children ?? []) {
      const { Id, Type = '', Target = '', TargetMode } = attributes;
      if (name !== 'Relationship' || Id === undefined) continue;
      const target = TargetMode === 'External' ? Target : partName(Target, from);
      found.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target });
    }
    return found;
  }
}

/** A target is relative to the part that names it; a place in the document (`#bookmark`) stays as it is. */
function partName(target: string, from: string): string {
  if (target.startsWith('#')) return target;
  return URL.parse(target, `part:///${from}`)?.pathname.slice(1) ?? target;
}
