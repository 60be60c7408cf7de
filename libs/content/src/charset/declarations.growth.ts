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
  };

  it.each(Object.entries(HOSTILE))('takes time linear in %s', async (_, unit) => {
    const pageOf = (chars: number) => '<head>' + unit.repeat(chars / unit.length) + '\xe6';
    const cost = cpuCost(pageOf, (page) => encodingOf(page));
    // Nothing is looked for beyond 64 KiB.
    expect(await growthOf(cost, { from: 15_000, upTo: 60_000 })).toBeLessThan(LINEAR_GROWTH);
  });
});
