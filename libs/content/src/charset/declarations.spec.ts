import { sniffCharset } from './sniff-charset.js';

/** A byte that is ж in windows-1251, ζ in windows-1253 and no UTF-8. */
const SHOWN = '<p>\xe6</p>';
const META = '<meta charset="windows-1251">';

const encodingOf = (text: string, contentType = 'text/html'): string =>
  sniffCharset(Buffer.from(text, 'latin1'), contentType);

const wide = (text: string): string => Buffer.from(text, 'utf16le').toString('latin1');
const swapped = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('latin1');

const upToByte = (before: string, byte: number, after: string): string =>
  before + ' '.repeat(byte - 1 - before.length) + after;

describe('an XML declaration', () => {
  it.each([
    ['in full', '<?xml version="1.0" encoding="windows-1251"?>'],
    ['with a label of another name', '<?xml version="1.0" encoding="cp1251"?>'],
    ['with a label in capitals', '<?xml version="1.0" encoding="WINDOWS-1251"?>'],
    ['with the version in capitals', '<?xml VERSION="1.0" encoding="windows-1251"?>'],
    ['without a version', "<?xml encoding='windows-1251'?>"],
    ['without a space', '<?xmlencoding="windows-1251"?>'],
    ['without a question mark', '<?xmlencoding="windows-1251">'],
    ['ended by another tag', "<?xmlencoding='windows-1251'<body>"],
    ['with a letter in between', '<?xmlaencoding="windows-1251"?>'],
    ['with a < in between', '<?xml<encoding="windows-1251"?>'],
    ['with spaces around the equals sign', '<?xml encoding \t\r\n = \n "windows-1251"?>'],
    ['with control characters around it', '<?xml encoding\x01=\0"windows-1251"?>'],
    ['with a meta inside', `<?xml <meta charset="koi8-r" encoding="windows-1251"?>`],
    ['that ends at byte 1,024', upToByte('<?xml encoding="windows-1251"', 1_024, '>')],
    ['that ends at byte 1,025', upToByte('<?xml encoding="windows-1251"', 1_025, '>')],
    ['that starts late', upToByte('<?xml version="1.0"', 1_010, 'encoding="windows-1251"?>')],
  ])('counts %s', (_, declaration) => {
    expect(encodingOf(declaration + SHOWN)).toBe('windows-1251');
  });

  it.each([
    ['with "encoding" in capitals', '<?xml ENCODING="windows-1251"?>'],
    ['with "xml" in capitals', '<?XML version="1.0" encoding="windows-1251"?>'],
    ['with a word before that ends so', '<?xml encodingencoding="windows-1251"?>'],
    ['with two equals signs', '<?xml encoding=encoding="windows-1251"?>'],
    ['without quotes', '<?xml encoding=windows-1251?>'],
    ['with quotes that do not match', '<?xml encoding="windows-1251\'?>'],
    ['with a space in the label', '<?xml encoding=" windows-1251 "?>'],
    ['with a NUL in the label', '<?xml encoding="\0windows-1251\0"?>'],
    ['that is over before', '<?xml>encoding="windows-1251"?>'],
    ['after a space', ' <?xml encoding="windows-1251"?>'],
    ['without an end', '<?xml encoding="windows-1251"'.padEnd(70_000)],
  ])('does not count %s', (_, declaration) => {
    expect(encodingOf(declaration + SHOWN)).toBe('windows-1252');
  });

  it('yields to the header and to a meta of the first 1,024 bytes', () => {
    const declaration = '<?xml version="1.0" encoding="koi8-r"?>';
    expect(encodingOf(declaration + META + SHOWN)).toBe('windows-1251');
    expect(encodingOf(declaration + SHOWN, 'text/html;charset=windows-1251')).toBe('windows-1251');
  });

  it('of UTF-16 in ASCII means UTF-8', () => {
    expect(encodingOf('<?xml version="1.0" encoding="UTF-16"?>' + SHOWN)).toBe('utf-8');
  });

  it('in UTF-16 reveals its byte order, whatever it declares', () => {
    const declaration = '<?xml encoding="koi8-r"?><p>\u0436';
    expect(encodingOf(wide(declaration))).toBe('utf-16le');
    expect(encodingOf(swapped(declaration))).toBe('utf-16be');
    expect(encodingOf(wide('<?x') + META)).toBe('utf-16le');
    expect(encodingOf(wide('<?') + '>' + META + SHOWN)).toBe('windows-1251');
    expect(encodingOf(wide(declaration), 'text/html; charset=koi8-r')).toBe('koi8-r');
  });
});

describe('a meta in the first 1,024 bytes', () => {
  it.each([
    ['after an unknown element', `<head><bogus>${META}`],
    ['after the head', `<head></head>${META}`],
    ['in a template', `<template>${META}</template>`],
    ['in an object', `<object>${META}</object>`],
    ['in SVG', `<body><svg>${META}</svg>`],
    ['after text that is not ASCII', `<title>\xe6</title><!-- \xe6 -->${META}`],
    ['in a script, as the standard has it', `<script>${META}</script>`],
    ['in a style, as the standard has it', `<style>${META}</style>`],
    ['with a line break before the equals sign', '<meta charset\n = "windows-1251" >'],
    ['in capitals', '<META CHARSET=WINDOWS-1251>'],
    ['with character references', '<head><meta charset="&#119;indows-12&#x35;1">'],
  ])('counts %s', (_, html) => {
    expect(encodingOf(`<!DOCTYPE html>${html}${SHOWN}`)).toBe('windows-1251');
  });

  it.each([
    ['in a comment', `<head><!--${META}-->`],
    ['in a comment with odd dashes', `<head><!--->${'<!--'}${META}-->`],
    ['in a title', `<head><title>${META}</title>`],
    ['in CDATA', `<body><svg><![CDATA[${META}]]></svg>`],
    [
      'put together by a script',
      `<script>document.write('<meta char' + 'set="windows-1251">')</script>`,
    ],
    ['in an attribute', `<body title='${META}'>`],
    ['in an end tag of no name', `</ ${META.replace('<', '')}`],
    ['in an attribute without an end', `<body title="${META.replaceAll('"', '')}`],
    ['without an end', META.slice(0, -1)],
    [
      'with a content that has no end quote',
      '<meta http-equiv=content-type content="charset=\'windows-1251">',
    ],
    ['with a quote too many', '<meta charset=windows-1251">'],
    ['with an equals sign as its name', '<meta =charset=windows-1251>'],
  ])('does not count %s', (_, html) => {
    expect(encodingOf(`<!DOCTYPE html><!-- \xe6 -->${html}`)).toBe('windows-1252');
  });

  it('reads "charset" in a content as the standard does', () => {
    const meta = (content: string): string => `<meta http-equiv=content-type content="${content}">`;
    expect(encodingOf(meta('charset charset=windows-1251') + SHOWN)).toBe('windows-1251');
    expect(encodingOf(meta("CHARSET = 'windows-1251'x") + SHOWN)).toBe('windows-1251');
    expect(encodingOf(meta('xcharset=windows-1251;x') + SHOWN)).toBe('windows-1251');
    expect(encodingOf(meta('charset=;windows-1251') + SHOWN)).toBe('windows-1252');
  });
});

describe('a meta past the first 1,024 bytes', () => {
  const far = (before: string, after: string): string =>
    `<!DOCTYPE html>\n<head>${before}${'\n'.repeat(1_100)}${after}`;

  it.each([
    ['in the head', far('<link rel=x href=y>', META)],
    ['in capitals, with references', far('', '<META CHARSET="&#x57;indows-1251">')],
    [
      'after scripts, styles and comments',
      far('<script>"</head>"</script><style>p{}</style>', `<!-- > -->${META}`),
    ],
    ['after a title with tags in it', far('<title><p></title>', META)],
    ['after templates', far('<template><template></template><p></template>', META)],
    ['after end tags of nothing', far('</p></x>', META)],
    ['across the edge', `<!DOCTYPE html><head>${' '.repeat(996)}${META}`],
  ])('counts %s', (_, html) => {
    expect(encodingOf(html + SHOWN)).toBe('windows-1251');
  });

  it.each([
    ['after the head', far('</head>', META)],
    ['after an unknown element', far('<bogus>', META)],
    ['after text', far('text', META)],
    ['in a template', far('<template>', `${META}</template>`)],
    ['in a noscript', far('<noscript>', `${META}</noscript>`)],
    ['in a script', far('<script>', `${META}</script>`)],
    ['in a comment', far('<!--', `${META}-->`)],
    ['beyond the bytes that are searched', far(' '.repeat(70_000), META)],
  ])('does not count %s', (_, html) => {
    expect(encodingOf(html + SHOWN)).toBe('windows-1252');
  });

  it('yields to bytes that are UTF-8', () => {
    expect(encodingOf(far('', META) + '<p>\xc3\xa9')).toBe('utf-8');
  });
});
