import { AddressRoom } from './address-room.js';
import { caselessNames, type ZipParts } from './unpack-zip.js';
import { decodeXml, parseXml, type XmlOptions, type XmlElement } from './xml-tree.js';

export interface Relationship {
  /** The last part of its type's address: `styles`, `hyperlink`. */
  readonly type: string;
  /** The name of a part, or the address of something outside of the file. */
  readonly target: string;
}

/** Of one part, by id. */
export class Relationships {
  constructor(
    private readonly byId: ReadonlyMap<string, Relationship>,
    private readonly room: AddressRoom,
  ) {}

  get(id: string | undefined): Relationship | undefined {
    return this.byId.get(id ?? '');
  }

  /** The address that a link names; undefined: there is none, or no room for it. */
  link(id: string | undefined): string | undefined {
    const target = this.get(id)?.target;
    return target !== undefined && this.room.takes(target) ? target : undefined;
  }

  values(): Iterable<Relationship> {
    return this.byId.values();
  }
}

/**
 * The parts of a document file and how they refer to each other (ECMA-376 part 2, Open Packaging Conventions). Names of
 * parts are the same in any case (6.2.2.3).
 */
export class OfficePackage {
  readonly links = new AddressRoom();
  private readonly known = new Map<string, Relationships>();
  private readonly nameOf: (name: string) => string;

  constructor(private readonly parts: ZipParts) {
    this.nameOf = caselessNames(parts);
  }

  has(name: string | undefined): boolean {
    return name !== undefined && this.parts.has(this.nameOf(name));
  }

  /**
   * The tree of a part; undefined when there is none.
   * @throws {UnreadableFile}
   */
  read(name: string | undefined, options?: XmlOptions): XmlElement | undefined {
    const data = name === undefined ? undefined : this.parts.get(this.nameOf(name));
    return data && parseXml(decodeXml(data), options);
  }

  /** The part that another one names as its styles, notes …, or the one with the usual name. */
  related(from: string, type: string, usual: string): string {
    for (const one of this.relationships(from).values()) {
      if (one.type === type && this.has(one.target)) return one.target;
    }
    return this.nameOf(usual);
  }

  /** Of a part; of the whole file when the name is empty. */
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
      const target = TargetMode === 'External' ? Target : this.nameOf(partName(Target, from));
      found.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target });
    }
    return new Relationships(found, this.links);
  }
}

/** A target is relative to the part that names it; a place in the document (`#bookmark`) stays as it is. */
function partName(target: string, from: string): string {
  if (target.startsWith('#')) return target;
  return URL.parse(target, `part:///${from}`)?.pathname.slice(1) ?? target;
}
