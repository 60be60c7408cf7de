import { decodeBody, sniffCharset } from './sniff-charset.js';

const bytes = (...parts: (string | readonly number[])[]): Uint8Array =>
  Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))),
  );

const meta = (charset: string): string => `<html><head><meta charset="${charset}"><p>`;

/** The same two or three letters as each encoding spells them. */
const GBK = [0xc4, 0xe3, 0xba, 0xc3];
const BIG5 = [0xa7, 0x41, 0xa6, 0x6e];
const SHIFT_JIS = [0x82, 0xb1, 0x82, 0xf1];
const EUC_KR = [0xbe, 0xc8, 0xb3, 0xe7];
const KOI8_R = [0xf0, 0xd2, 0xc9];
const CP1251 = [0xcf, 0xf0, 0xe8];
const LATIN1 = [0x63, 0x61, 0x66, 0xe9, 0x20, 0x93, 0x94];

const utf16 = (text: string, isBigEndian: boolean): number[] => {
  const units = [...Buffer.from(text, 'utf16le')];
  if (!isBigEndian) return [0xff, 0xfe, ...units];
  const swapped = units.map((_, index) => units[index ^ 1] ?? 0);
  return [0xfe, 0xff, ...swapped];
};

const unmarked = (text: string, isBigEndian: boolean): number[] =>
  utf16(`<!doctype html>${text}`, isBigEndian).slice(2);

describe('sniffCharset', () => {
  it.each<[string, Uint8Array, string | null, string, string]>([
    ['GBK by meta', bytes(meta('gbk'), GBK), 'text/html', 'gbk', '你好'],
    ['GB2312 label', bytes(meta('gb2312'), GBK), null, 'gbk', '你好'],
    ['Big5 by header', bytes('<p>', BIG5), 'text/html; charset=Big5', 'big5', '你好'],
    ['Shift_JIS by meta', bytes(meta('Shift_JIS'), SHIFT_JIS), null, 'shift_jis', 'こん'],
    ['EUC-KR by meta', bytes(meta('euc-kr'), EUC_KR), null, 'euc-kr', '안녕'],
    ['KOI8-R by meta', bytes(meta('koi8-r'), KOI8_R), null, 'koi8-r', 'При'],
    [
      'windows-1251 by quoted header',
      bytes('<p>', CP1251),
      'text/html; charset="windows-1251"',
      'windows-1251',
      'При',
    ],
    ['latin1 is windows-1252', bytes(meta('iso-8859-1'), LATIN1), null, 'windows-1252', 'café “”'],
    ['nothing said, not UTF-8', bytes('<p>', LATIN1), null, 'windows-1252', 'café “”'],
    ['nothing said, UTF-8', bytes('<p>café'), null, 'utf-8', 'café'],
    [
      'UTF-16LE by its mark',
      bytes(utf16('<p>né', false)),
      'text/html; charset=utf-8',
      'utf-16le',
      'né',
    ],
    ['UTF-16BE by its mark', bytes(utf16('<p>né', true)), null, 'utf-16be', 'né'],
    [
      'UTF-8 by its mark against the header',
      bytes([0xef, 0xbb, 0xbf], '<p>né'),
      'text/html; charset=gbk',
      'utf-8',
      'né',
    ],
    [
      'header before meta',
      bytes(meta('gbk'), CP1251),
      'text/html; charset=windows-1251',
      'windows-1251',
      'При',
    ],
    ['UTF-16 in a meta means UTF-8', bytes(meta('utf-16'), 'né'), null, 'utf-8', 'né'],
    [
      'x-user-defined in a meta',
      bytes(meta('x-user-defined'), LATIN1),
      null,
      'windows-1252',
      'café',
    ],
    [
      'wrong header: Latin-1 over UTF-8',
      bytes('<p>naïve'),
      'text/html; charset=iso-8859-1',
      'utf-8',
      'naïve',
    ],
    [
      'wrong header: UTF-8 over GBK with a meta',
      bytes(meta('gbk'), GBK),
      'text/html; charset=utf-8',
      'gbk',
      '你好',
    ],
    ['wrong meta: Latin-1 over UTF-8', bytes(meta('latin1'), 'naïve'), null, 'utf-8', 'naïve'],
    [
      'unknown header label',
      bytes(meta('gbk'), GBK),
      'text/html; charset=none-such',
      'gbk',
      '你好',
    ],
    ['late meta', bytes('<!--', 'x'.repeat(3000), '-->', meta('gbk'), GBK), null, 'gbk', '你好'],
    ['UTF-16LE without a mark', bytes(unmarked('<p>né', false)), null, 'utf-16le', 'né'],
    ['UTF-16BE without a mark', bytes(unmarked('<p>né', true)), null, 'utf-16be', 'né'],
    [
      'UTF-16 by the header, without a mark',
      bytes(unmarked('<p>né', true)),
      'text/html; charset=utf-16be',
      'utf-16be',
      'né',
    ],
    [
      'UTF-16 of mostly Chinese text',
      bytes(unmarked(`<html><head><title>你好</title><body><p>${'你好世界'.repeat(9)}`, false)),
      null,
      'utf-16le',
      '你好世界',
    ],
    [
      'wrong header: a legacy one over UTF-8 with a meta',
      bytes(meta('utf-8'), '你好'),
      'text/html; charset=gbk',
      'utf-8',
      '你好',
    ],
    [
      'a legacy header over bytes that only look like UTF-8',
      bytes(meta('iso-8859-15'), [0xc3, 0xa4]),
      'text/html; charset=windows-1251',
      'windows-1251',
      'Г¤',
    ],
    [
      'GB18030 of four bytes',
      bytes(meta('gb18030'), [0x81, 0x30, 0x81, 0x30]),
      null,
      'gb18030',
      '\x80',
    ],
    ['EUC-JP', bytes(meta('euc-jp'), [0xa4, 0xb3, 0x8e, 0xb1]), null, 'euc-jp', 'こｱ'],
    [
      'ISO-2022-JP',
      bytes(meta('iso-2022-jp'), [0x1b, 0x24, 0x42, 0x24, 0x33, 0x1b, 0x28, 0x42]),
      null,
      'iso-2022-jp',
      'こ',
    ],
    ['windows-949 as EUC-KR', bytes(meta('ks_c_5601-1987'), [0x8c, 0x63]), null, 'euc-kr', '똠'],
    ['Hong Kong in Big5', bytes(meta('big5-hkscs'), [0x9d, 0xef]), null, 'big5', '嘅'],
    ['windows-874', bytes(meta('tis-620'), [0xa1]), null, 'windows-874', 'ก'],
    ['KOI8-U by header', bytes('<p>', [0xa4]), 'text/html;charset=koi8-u', 'koi8-u', 'є'],
    ['pure ASCII says nothing', bytes('<p>abc'), null, 'windows-1252', 'abc'],
    ['replacement labels are passed over', bytes(meta('iso-2022-kr'), 'né'), null, 'utf-8', 'né'],
    [
      'XML declaration',
      bytes('<?xml version="1.0" encoding="windows-1251"?><p>', CP1251),
      null,
      'windows-1251',
      'При',
    ],
  ])('%s', (_, body, contentType, charset, text) => {
    expect(sniffCharset(body, contentType)).toBe(charset);
    expect(decodeBody(body, charset)).toContain(text);
  });

  it.each<[string, string]>([
    ['http-equiv', '<meta http-equiv="Content-Type" content="text/html; charset=gbk">'],
    ['content before http-equiv', "<meta content='text/html;charset=gbk' http-equiv=content-type>"],
    ['unquoted', '<META CHARSET=gbk>'],
    ['slash after the name', '<meta/charset=gbk />'],
    ['spaces around the equals sign', '<meta charset = "gbk">'],
    ['after a comment that hides another', '<!-- <meta charset=big5> --><meta charset=gbk>'],
    ['after an attribute that looks like one', '<a title="<meta charset=big5>"><meta charset=gbk>'],
    ['after a bogus comment', '<!x <meta charset=big5 ><meta charset=gbk>'],
    ['after a meta without a charset', '<meta name=x content="charset=big5"><meta charset=gbk>'],
    ['first attribute wins', '<meta charset=gbk charset=big5>'],
    ['unknown label, then a known one', '<meta charset=none><meta charset=gbk>'],
  ])('prescans a meta: %s', (_, html) => {
    expect(sniffCharset(bytes(html, GBK), null)).toBe('gbk');
  });

  it.each([
    '<meta httpequiv="ContentType" content="text/html; charset=gbk">',
    '<meta http-equiv="ContentType" content="text/html; charset=gbk">',
    '<meta name="Content-Type" content="text/html; charset=gb2312">',
    '<meta http-equiv="charset" content="gbk">',
    '<meta name="charset" content="gbk">',
    '<meta charset="text/html; charset=gbk">',
    '<meta http-equive=content-type content="text/html;charset=GB_2312-80">',
    `<!--${' '.repeat(2_000)}--><meta httpequiv=content_type content="text/html; charset=gbk">`,
  ])('reads a faulty meta that browsers do not count: %s', (meta) => {
    expect(sniffCharset(bytes(meta, GBK), null)).toBe('gbk');
    // All others come first: another meta, bytes that are UTF-8, the header.
    expect(sniffCharset(bytes(meta, '<meta charset=big5>', GBK), null)).toBe('big5');
    expect(sniffCharset(bytes(meta, '<p>né'), null)).toBe('utf-8');
    expect(sniffCharset(bytes(meta, GBK), 'text/html; charset=euc-kr')).toBe('euc-kr');
  });

  it.each(['windows1251', 'cp-1251', 'win-1251', 'windows_1251', 'win1251'])(
    'reads a misspelled label: %s',
    (label) => {
      expect(sniffCharset(bytes(meta(label), [0xe6, 0x2e]), null)).toBe('windows-1251');
    },
  );

  it.each([
    '<meta content="text/html; charset=gbk">',
    '<meta name=description content="text/html; charset=gbk">',
    '<meta name=keywords content=gbk>',
    '<link httpequiv="ContentType" content="text/html; charset=gbk">',
  ])('does not read %s', (html) => {
    expect(sniffCharset(bytes(html, [0xe6, 0x2e]), null)).toBe('windows-1252');
  });

  it.each(['text/plain', 'text/markdown; x=y', 'text/css', 'application/json', 'a/b+json'])(
    'looks for no markup in %s',
    (type) => {
      expect(sniffCharset(bytes('`<meta charset=gbk>` né'), type)).toBe('utf-8');
      expect(sniffCharset(bytes('`<meta charset=gbk>` n', [0xe9, 0x2e]), type)).toBe(
        'windows-1252',
      );
    },
  );

  it('reads @charset where it is the first of a style sheet', () => {
    const sheet = (start: string): string =>
      sniffCharset(bytes(`${start}@charset "windows-1251";a{content:"`, [0xe6], '"}'), 'text/css');
    expect([sheet(''), sheet(' ')]).toEqual(['windows-1251', 'windows-1252']);
  });

  it('does not believe a header that says UTF-16 of text without a NUL', () => {
    const header = 'text/xml; charset=utf-16';
    expect(sniffCharset(bytes('<a>né</a>'), header)).toBe('utf-8');
    expect(sniffCharset(bytes(unmarked('né', false)), header)).toBe('utf-16le');
    expect(sniffCharset(bytes(utf16('世界，你好。', false).slice(2)), header)).toBe('utf-16le');
  });

  it('takes the start of a longer text for UTF-8 as long as it is ASCII', () => {
    const start = { isStart: true };
    expect(sniffCharset(bytes('https://a.example/'), null, start)).toBe('utf-8');
    expect(sniffCharset(bytes(unmarked('abc', false)), null, start)).toBe('utf-16le');
    expect(sniffCharset(bytes(meta('gbk')), null, start)).toBe('gbk');
  });

  it('does not take a sequence cut by a size limit for another encoding', () => {
    const body = bytes('<p>caf', [0xc3, 0xa9], 'x'.repeat(5000), [0xe4, 0xbd]);
    expect(sniffCharset(body, null)).toBe('utf-8');
  });

  it.each([0, 1, 2, 3])('copes with %i bytes', (length) => {
    expect(sniffCharset(Buffer.alloc(length, 0xe4), null)).toMatch(/^(utf-8|windows-1252)$/);
  });
});
