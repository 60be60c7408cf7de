import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { scanTags } from './scan-tags.js';

describe('scanTags', () => {
  it.each([
    '<a href="',
    '<a href="/x">',
    '<!-- ',
    '<!-->',
    '<',
    '</',
    '<div class="x" ',
    '<script src="',
    '<script src="/a.js"></script>',
    '<script></scrip>',
    '<meta name="generator" content="',
    '<title></',
    '<p><li>',
    ' ',
    '1.1.',
    '/wp-content/',
    '<a-b ',
    "<a b='",
    '<a b=',
    '<![CDATA[',
    '<?',
  ])('takes time linear in a page of %j', async (piece) => {
    const sink = {
      wants: () => true,
      open: () => {},
      close: () => {},
      raw: () => {},
      isOver: () => false,
    };
    const cost = cpuCost(
      (chars) => piece.repeat(Math.ceil(chars / piece.length)),
      (html: string) => scanTags(html, sink),
    );
    expect(await growthOf(cost, { from: 50_000, upTo: 4_000_000 })).toBeLessThan(LINEAR_GROWTH);
  });
});
