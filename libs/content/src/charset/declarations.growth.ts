import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { sniffCharset } from './sniff-charset.js';

const encodingOf = (text: string, contentType = 'text/html'): string =>
  sniffCharset(Buffer.from(text, 'latin1'), contentType);

describe('reading declarations', () => {
  const HOSTILE: Readonly<Record<string, string>> = {
    'tags without end': '<meta ',
    'quotes without end': '<meta charset="',
    'comments without end': '<!--',
    'templates in templates': '<template>',
    'attributes without end': 'a=b ',
    spaces: ' ',
    'equals signs': '=',
    'faulty metas': '<meta name=charset content=x>',
  };

  const BYTES: Readonly<Record<string, string>> = {
    'letters of any encoding': '\xe6',
    'letters and spaces': 'a\xe6 ',
    'lead bytes': '\x81',
    'lone trails': '\xbf\n',
    'escapes of ISO-2022-JP': '\x1b$B',
    'UTF-8 with a fault': '\xc3\xa9\xc3\xa9\xff',
    NULs: '\0\xe6',
  };

  it.each(Object.entries(BYTES))(
    'takes linear time to detect the encoding of %s',
    async (_, unit) => {
      const pageOf = (chars: number) => unit.repeat(chars / unit.length);
      const cost = cpuCost(pageOf, (page) => encodingOf(page));
      // More than 16 KiB are not given to the detector.
      expect(await growthOf(cost, { from: 15_000, upTo: 60_000 })).toBeLessThan(LINEAR_GROWTH);
      expect(await growthOf(cost, { from: 100_000, upTo: 10_000_000 })).toBeLessThan(LINEAR_GROWTH);
    },
  );

  it.each(Object.entries(HOSTILE))('takes time linear in %s', async (_, unit) => {
    const pageOf = (chars: number) => '<head>' + unit.repeat(chars / unit.length) + '\xe6';
    const cost = cpuCost(pageOf, (page) => encodingOf(page));
    // Nothing is looked for beyond 64 KiB.
    expect(await growthOf(cost, { from: 15_000, upTo: 60_000 })).toBeLessThan(LINEAR_GROWTH);
  });
});
