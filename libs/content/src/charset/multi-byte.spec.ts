import { decodeBody } from './sniff-charset.js';

const korean = (...bytes: readonly number[]): string => decodeBody(Buffer.from(bytes), 'euc-kr');
const chinese = (...bytes: readonly number[]): string => decodeBody(Buffer.from(bytes), 'big5');

describe('EUC-KR', () => {
  it.each<[string, readonly number[], string]>([
    ['KS X 1001', [0xb0, 0xa1, 0xc8, 0xfe], '가힝'],
    ['the first and last syllable of the upper rows', [0x81, 0x41, 0xa0, 0xfe], '갂좤'],
    ['the first and last of the side rows', [0xa1, 0x41, 0xc6, 0x52], '좥힣'],
    ['syllables that people do write', [0x8c, 0x63, 0xb9, 0xe6, 0x94, 0xee], '똠방뷁'],
    ['hanja', [0xca, 0xa1, 0xfd, 0xfe], '伽詰'],
    ['later signs', [0xa2, 0xe6, 0xa2, 0xe7], '€®'],
    ['ASCII in between', [0x3c, 0xb0, 0xa1, 0x3e], '<가>'],
    ['a lead that has no trail', [0xb0], '\ufffd'],
    ['a lead before ASCII, which stays', [0xb0, 0x3c, 0x70], '\ufffd<p'],
    ['a pair of no character', [0xc9, 0xa1, 0x41], '\ufffdA'],
    ['bytes that are no lead', [0x80, 0xff, 0x41], '\ufffd\ufffdA'],
  ])('reads %s', (_, bytes, text) => {
    expect(korean(...bytes)).toBe(text);
  });

  it('has all 11,172 syllables, each once', () => {
    const pairs: number[] = [];
    for (let lead = 0x81; lead <= 0xc8; lead++) {
      for (let trail = 0x41; trail <= 0xfe; trail++) pairs.push(lead, trail, 0x0a);
    }
    const syllables = korean(...pairs)
      .split('\n')
      .filter((text) => /^[\uac00-\ud7a3]$/.test(text));
    expect(syllables).toHaveLength(11_172);
    expect(new Set(syllables).size).toBe(11_172);
  });
});

describe('Big5', () => {
  it.each<[string, readonly number[], string]>([
    ['level 1 and 2', [0xa4, 0x40, 0xf9, 0xd5], '一龘'],
    ['kana and circled numbers of ETEN', [0xc6, 0xa1, 0xc6, 0xe7, 0xc7, 0x7b], '①ぁァ'],
    [
      'what Hong Kong writes',
      [0x9d, 0xef, 0x9d, 0xf7, 0x91, 0xc1, 0x9d, 0xf8, 0xc9, 0x4e],
      '嘅咗嚟啲冇',
    ],
    ['its lifts', [0x9d, 0xf2], '𨋢'],
    ['characters past the first plane', [0x87, 0x45], '𧉧'],
    ['letters of two code points', [0x88, 0x62, 0x88, 0xa5], '\u00ca\u0304\u00ea\u030c'],
    ['a lead before ASCII, which stays', [0xa4, 0x3c, 0x70], '\ufffd<p'],
    ['a pair of no character', [0x81, 0x40, 0x41], '\ufffd@A'],
    ['bytes that are no lead', [0x80, 0xff, 0x41], '\ufffd\ufffdA'],
  ])('reads %s', (_, bytes, text) => {
    expect(chinese(...bytes)).toBe(text);
  });
});

it('has the characters of JIS X 0212 in EUC-JP, and none of the rows that Node adds', () => {
  const bytes = [0x8f, 0xb0, 0xa1, 0x8f, 0xed, 0xe3, 0x8f, 0xf3, 0xa1, 0x41];
  expect(decodeBody(Buffer.from(bytes), 'euc-jp')).toBe('丂龥\ufffdA');
});

it('replaces a character that is cut off at the end', () => {
  const cut = { 'euc-kr': [0xb0], big5: [0xa4], shift_jis: [0x88], 'euc-jp': [0x8f, 0xb0] };
  for (const [charset, bytes] of Object.entries(cut))
    expect(decodeBody(Buffer.from([0x41, ...bytes]), charset)).toBe('A\ufffd');
  const escape = [0x1b, 0x24, 0x42, 0x30, 0x21, 0x30];
  expect(decodeBody(Buffer.from(escape), 'iso-2022-jp')).toBe('亜\ufffd');
});

it.each(['euc-kr', 'big5'] as const)('%s: reads any bytes to well-formed text', (charset) => {
  const bytes = Buffer.alloc(0x20000);
  for (let at = 0; at < 0x10000; at++) bytes.writeUInt16BE(at, 2 * at);
  const text = decodeBody(bytes, charset);
  expect(text.isWellFormed()).toBe(true);
  expect(decodeBody(new Uint8Array(0), charset)).toBe('');
});
