import { UnreadableFile } from '../files/unreadable-file.js';
import { unpackZip, type ZipParts } from '../files/unpack-zip.js';
import { decodeXml, elementsBelow, parseXml, type XmlElement } from '../files/xml-tree.js';

/** Text, styles and what says whether they can be read; of embedded objects formulas and charts. */
const WANTED =
  /^(?:mimetype|META-INF\/manifest\.xml|(?:content|styles|meta)\.xml|[\w .-]{1,100}\/content\.xml)$/;

/**
 * The parts of an OpenDocument file (OpenDocument 1.3 part 2).
 * @throws {UnreadableFile} when it is encrypted, too
 */
export function openOdf(bytes: Uint8Array): ZipParts {
  const parts = unpackZip(bytes, WANTED);
  const manifest = parts.get('META-INF/manifest.xml');
  const entries = manifest && parseXml(decodeXml(manifest));
  if (elementsBelow(entries, 'manifest:encryption-data').length > 0)
    throw new UnreadableFile('encrypted', 'is encrypted');
  if (!parts.has('content.xml'))
    throw new UnreadableFile('malformed', 'is damaged: its content is missing');
  return parts;
}

/** @throws {UnreadableFile} */
export function odfPart(parts: ZipParts, name: string): XmlElement | undefined {
  const data = parts.get(name);
  return data && parseXml(decodeXml(data), { keepsOrder: true });
}
