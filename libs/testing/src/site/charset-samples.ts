/** A sentence per character set that only the right decoder can read. */
export const CHARSET_SAMPLES: Readonly<Record<string, string>> = {
  'utf-8': 'Žluťoučký kůň – 你好, мир',
  'utf-16le': 'Žluťoučký kůň – 你好',
  'utf-16be': 'Žluťoučký kůň – 你好',
  'windows-1250': 'Příliš žluťoučký kůň',
  'windows-1251': 'Съешь ещё этих мягких французских булок',
  'windows-1252': 'Déjà vu – “naïve” façade €',
  'iso-8859-2': 'Příliš žluťoučký kůň',
  'iso-8859-15': 'Cœur à 5 €',
  'koi8-r': 'Съешь ещё этих мягких булок',
  shift_jis: '日本語のテキストです',
  'euc-jp': '日本語のテキストです',
  'euc-kr': '안녕하세요 세계',
  gb18030: '你好，世界，这是中文',
  gbk: '你好，世界，这是中文',
  big5: '你好，這是中文',
};

const tables = new Map<string, ReadonlyMap<string, Buffer>>();

/**
 * Encodes text in any character set of one or two bytes that TextDecoder knows, by turning its
 * decoder around. Throws on a character that the set does not have.
 */
export function encodeText(text: string, charset: string): Buffer {
  if (charset === 'utf-8') return Buffer.from(text, 'utf8');
  if (charset === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (charset === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const table = tableFor(charset);
  return Buffer.concat(Array.from(text, (character) => bytesOf(character, table, charset)));
}

function bytesOf(character: string, table: ReadonlyMap<string, Buffer>, charset: string): Buffer {
  const bytes = table.get(character);
  if (bytes === undefined) throw new Error(`'${character}' is not in ${charset}`);
  return bytes;
}

function tableFor(charset: string): ReadonlyMap<string, Buffer> {
  const known = tables.get(charset);
  if (known !== undefined) return known;
  const table = new Map<string, Buffer>();
  const decoder = new TextDecoder(charset);
  const add = (bytes: Buffer): void => {
    const text = decoder.decode(bytes);
    const isOne = [...text].length === 1 && text !== '\uFFFD';
    if (isOne && !table.has(text)) table.set(text, bytes);
  };
  for (let byte = 0; byte < 256; byte++) add(Buffer.of(byte));
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) add(Buffer.of(lead, trail));
  }
  tables.set(charset, table);
  return table;
}
