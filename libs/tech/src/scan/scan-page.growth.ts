import { Deadline } from '@app/contracts';
import type { ScanInput } from '../technology.js';
import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { compileFingerprints } from './compile-fingerprints.js';
import { scanPage } from './scan-page.js';

const EMPTY: ScanInput = { url: 'https://site.test/', headers: {}, cookies: {}, html: '' };

describe('scanPage', () => {
  it.each([
    '<a href="',
    '<!-- ',
    '<',
    '<script src="',
    '<script src="/vendor.js?v=1.2"></script>',
    '<meta name="generator" content="',
    '<p class="vendor-a">',
    ' ',
    '1.1.',
    '/wp-content/',
    '/wp-content/plugins/vendor/1.',
    'powered by vendor ',
  ])('takes time linear in a page of %j', async (piece) => {
    const set = compileFingerprints([
      {
        name: 'A',
        category: 'Any',
        html: [
          '<link[^>]+/wp-content/plugins/[^"]+\\.css\\?ver=([\\d.]+)\\;version:\\1',
          '(?:\\d+\\.)+vendor-x',
          'powered by <a[^>]*>vendor',
        ],
      },
      {
        name: 'B',
        category: 'Any',
        scriptSrc: '/vendor-([\\d.]+)\\.js',
        dom: ['.vendor-a > .b', 'a[href*="vendor-z"]'],
      },
      {
        name: 'C',
        category: 'Any',
        meta: { generator: '(?:[\\d.]+)+vendor' },
        css: 'vendor',
        scripts: ['vendor\\s*=\\s*\\w+\\s*;;'],
      },
    ]);
    const cost = cpuCost(
      (chars) => piece.repeat(Math.ceil(chars / piece.length)),
      (html: string) => scanPage(set, { ...EMPTY, html }, { deadline: Deadline.after(60_000) }),
    );
    expect(await growthOf(cost, { from: 20_000, upTo: 524_288 })).toBeLessThan(LINEAR_GROWTH);
  });
});
