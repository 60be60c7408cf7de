import { createMultibyteEncoder } from '@exodus/bytes/multi-byte.js';
import { createSinglebyteEncoder } from '@exodus/bytes/single-byte.js';

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

const MULTI_BYTE = /^(?:gbk|gb18030|big5|euc-jp|iso-2022-jp|shift_jis|euc-kr)$/;

/** Encodes text in any character set that TextDecoder knows. Throws on a character that the set does not have. */
export function encodeText(text: string, charset: string): Buffer {
  if (charset === 'utf-8') return Buffer.from(text, 'utf8');
  if (charset === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (charset === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  if (MULTI_BYTE.test(charset)) return Buffer.from(createMultibyteEncoder(charset)(text));
  const ready = charset === 'windows-1258' ? withLooseTones(text) : text;
  return Buffer.from(createSinglebyteEncoder(charset)(ready));
}

/** Of Vietnamese letters with two marks windows-1258 has none: the tone follows as a character of its own. */
const withLooseTones = (text: string): string =>
  text.replace(/[\u1ea0-\u1ef9ãìĩòõũý]/gi, (letter) => {
    const [base = '', ...marks] = letter.normalize('NFD');
    const isTone = (mark: string): boolean => /[\u0300\u0301\u0303\u0309\u0323]/.test(mark);
    const shape = marks.filter((mark) => !isTone(mark)).join('');
    return (base + shape).normalize('NFC') + marks.filter(isTone).join('');
  });
