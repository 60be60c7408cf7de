import { declaredEncoding } from './encoding-label.js';

/** `<?x` in UTF-16: enough, as the standard has it; the declaration itself is not read. */
const UTF_16LE_XML = '<\0?\0x\0';
const UTF_16BE_XML = '\0<\0?\0x';

/** The encoding of a text that starts with an XML declaration in UTF-16; bytes read as Latin-1. */
export function encodingOfWideXml(head: string): 'utf-16le' | 'utf-16be' | undefined {
  if (head.startsWith(UTF_16LE_XML)) return 'utf-16le';
  return head.startsWith(UTF_16BE_XML) ? 'utf-16be' : undefined;
}

/** "Get an XML encoding" (HTML standard 13.2.3.2): white space here is all up to U+0020. */
const ENCODING = /encoding[\0- ]*=[\0- ]*(?:"([^"]*)"|'([^']*)')/y;

/** What the XML declaration that a text starts with declares; bytes read as Latin-1. */
export function encodingOfXmlDeclaration(head: string): string | undefined {
  if (!head.startsWith('<?xml')) return undefined;
  const end = head.indexOf('>');
  // Only the first "encoding" counts, whatever follows it.
  const start = head.indexOf('encoding');
  if (start === -1 || start > end) return undefined;
  ENCODING.lastIndex = start;
  const match = ENCODING.exec(head.slice(0, end));
  const label = match?.[1] ?? match?.[2];
  return label === undefined || /[\0- ]/.test(label) ? undefined : declaredEncoding(label);
}
