import { encodeText } from '../../../testing/src/site/charset-samples.js';
import { undeclaredPages } from '../../../testing/src/site/undeclared-pages.js';
import { decodeBody, sniffCharset } from './sniff-charset.js';

const read = (body: Uint8Array, contentType: string | null = 'text/html', url?: string): string =>
  decodeBody(body, sniffCharset(body, contentType, { url })).normalize('NFC');

const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('a page that declares nothing', () => {
  it.each(undeclaredPages().map((page) => [page.encoding, page.name, page] as const))(
    'is read in %s: %s',
    (_, __, { body, html }) => {
      expect(read(body)).toBe(html);
    },
  );

  it.each([
    [
      'gbk',
      '书店',
      '网站地图与目录。这家书店每天早上九点开门，晚上八点关门，周末也照常营业。读者可以在这里找到历史、文学和科学方面的图书。',
    ],
    [
      'shift_jis',
      '図書館',
      '図書館のご案内です。開館時間は午前九時から午後八時までで、月曜日は休館です。児童書のコーナーでは毎週土曜日に読み聞かせの会があります。',
    ],
    [
      'utf-8',
      'Библиотека',
      'Городская библиотека открыта каждый день с девяти утра до восьми вечера. Читальный зал находится на втором этаже, детский отдел на первом.',
    ],
  ])('is read as reported, in %s', (encoding, title, text) => {
    const html = `<html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`;
    expect(read(encodeText(html, encoding))).toBe(html);
  });

  it.each(['text/plain', 'text/css', 'application/json', 'application/xml', null])(
    'is read the same where its type is %s',
    (contentType) => {
      for (const { body, html } of undeclaredPages().filter(({ name }) => name.endsWith(' 0')))
        expect(read(body, contentType)).toBe(html);
    },
  );

  it('is read in spite of a stray NUL', () => {
    expect(read(encodeText('<p>Новости и\0события</p>', 'windows-1251'))).toContain('Новости');
  });

  it('of 10 MB is read by its first 16 KiB that are not ASCII', () => {
    const chinese = Buffer.from('c4e3bac3cac0bde7', 'hex');
    const [late, early] = [Buffer.alloc(9_000_000, 'x '), latin('Füße und Köpfe. '.repeat(5_000))];
    expect(read(Buffer.concat([late, chinese]))).toMatch(/你好世界$/);
    expect(read(Buffer.concat([early, Buffer.alloc(1_000_000, chinese)]))).toMatch(/^Füße/);
  });
});

describe('a text with too little to say', () => {
  it.each([
    '© 2020 Acme',
    '® and \u0099',
    '£5, ±5, 25°C, x², ½',
    '» Home «',
    '¡Hola! ¿What?',
    'it\u0092s \u0093quoted\u0094 \u0096 5 \u0096 6\u0085',
    'naïve',
    'Ø',
    '5 µm',
    'Müller',
    'a\u00a0b',
  ])('is Western: %j', (text) => {
    const western = new TextDecoder('windows-1252').decode(latin(text));
    for (const url of [undefined, 'https://acme.com/', 'https://acme.de/', 'https://[::1]/'])
      expect(read(latin(`<p>${text}</p>`), 'text/html', url)).toBe(`<p>${western}</p>`);
  });

  it.each(['© 2020 Acme', 'it\u0092s', 'Müller & Söhne', 'Se habla español: ¡Hola, niño!'])(
    'is not Chinese, wherever it is: %j',
    (text) => {
      for (const domain of ['cn', 'tw', 'jp', 'kr'])
        expect(read(latin(text), 'text/html', `https://acme.${domain}/`)).not.toMatch(
          /\p{sc=Han}/u,
        );
    },
  );
});

describe('what else is known of an undeclared text', () => {
  /** A word that is one in Polish, Turkish and Icelandic letters. */
  const polish = encodeText('<p>Żółć</p>', 'iso-8859-2');
  const turkish = encodeText('<p>Aşık, ılık</p>', 'windows-1254');
  const russian = encodeText('<p>Добрый день</p>', 'windows-1251');

  it.each([
    ['the country of its site', polish, 'https://a.example.pl/', '<p>Żółć</p>'],
    ['the country of its site', turkish, 'https://a.com.tr:8080/x', '<p>Aşık, ılık</p>'],
    ['nothing, of an address that is none', russian, 'about:blank', '<p>Добрый день</p>'],
  ])('decides: %s', (_, body, url, text) => {
    expect(read(body, 'text/html', url)).toBe(text);
  });

  it.each(['cn', 'jp', 'kr', 'tw', 'de', 'us', 'ru', 'gr', 'il', 'th', 'xn--p1ai', 'com', 'io'])(
    'is not that a site is of another country: .%s',
    (domain) => {
      const url = `https://www.example.${domain}/`;
      const misread = undeclaredPages().filter(
        (page) => read(page.body, 'text/html', url) !== page.html,
      );
      const names = misread.map(({ encoding, name }) => `${encoding} ${name}`);
      // One of 220, and only where none of the alphabets in question is expected.
      expect(names.filter((name) => name !== 'windows-1257 lv 3')).toEqual([]);
    },
  );

  it.each([
    ['pl', 'iso-8859-2', 'Żółć'],
    ['tr_TR', 'windows-1254', 'Aşık, ılık'],
    ['zh-Hant', 'big5', '歡迎光臨'],
    ['zh-CN', 'gbk', '你好'],
    ['ja', 'euc-jp', '東京'],
    // Wrong ones do no harm where the letters say something else.
    ['de', 'windows-1251', 'Добрый день'],
    ['zh-CN', 'windows-1252', 'Größe und Länge'],
    ['en', 'gbk', '网站地图与目录'],
    ['!', 'gbk', '网站地图与目录'],
    ['art-x-none', 'gbk', '网站地图与目录'],
  ])('may be its language: %s, %s', (language, encoding, text) => {
    const html = `<!doctype html><html class=a lang="${language}"><p>${text}</p>`;
    expect(read(encodeText(html, encoding), 'text/html', 'https://a.example/')).toBe(html);
  });
});

describe('UTF-8 with faults', () => {
  const cut = (text: string): Buffer =>
    Buffer.concat([Buffer.from(text), Buffer.from([0xe4, 0xbd])]);

  it('stays UTF-8 where a program cut a character in two', () => {
    const body = Buffer.concat([cut('<p>Новости и события…'), Buffer.from('</p><p>и ещё</p>')]);
    expect(read(body)).toBe('<p>Новости и события…\ufffd</p><p>и ещё</p>');
  });

  it('that are most of it is another encoding', () => {
    expect(read(latin('<p>Ã© Füße und Köpfe, Länge und Größe</p>'))).toContain('Füße und Köpfe');
  });
});
