import { Deadline } from '@app/contracts';
import { TECH_REASONS, type ScanInput } from '../technology.js';
import fc from 'fast-check';
import { loadBuiltInFingerprints } from '../load/built-in-fingerprints.js';
import { compileFingerprints } from './compile-fingerprints.js';
import { scanPage } from './scan-page.js';

const set = compileFingerprints(loadBuiltInFingerprints());

const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          '<',
          '>',
          '/>',
          '</',
          '<!--',
          '-->',
          '<script',
          '<script>',
          '</script>',
          '<style>',
          '<meta name="generator" ',
        ],
        ...[
          'content="',
          "'",
          '"',
          '=',
          ' ',
          '&amp;',
          '&#0;',
          '<div class="',
          '<a href=',
          '<p>',
          '</p>',
          '<![CDATA[',
          '<?',
        ],
        ...[
          '/wp-content/plugins/',
          'WordPress 6.5',
          'jquery-3.7.1.min.js',
          'cdn.shopify.com',
          '\u0000',
          '\ud800',
          '\u212a',
        ],
      ),
      fc.string({ maxLength: 12, unit: 'binary' }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

const input: fc.Arbitrary<ScanInput> = fc.record({
  url: soup,
  headers: fc.dictionary(
    fc.constantFrom('server', 'x-powered-by', 'via', '__proto__'),
    fc.array(soup, { maxLength: 3 }),
  ),
  cookies: fc.dictionary(fc.string({ maxLength: 20 }), soup, { maxKeys: 4 }),
  html: soup,
  globals: fc.dictionary(fc.constantFrom('jQuery.fn.jquery', 'React.version', 'constructor'), soup),
  requests: fc.array(soup, { maxLength: 3 }),
});

describe('scanPage with the built-in table', () => {
  it('answers any input without a throw, sorted, and the same again', () => {
    fc.assert(
      fc.property(input, (page) => {
        const limits = { deadline: Deadline.after(60_000) };
        const { technologies, reasons, scannedBytes } = scanPage(set, page, limits);
        expect(scannedBytes).toBe(Buffer.byteLength(page.html));
        expect(reasons).toEqual(TECH_REASONS.filter((reason) => reasons.includes(reason)));
        for (const [at, { confidence, category, version }] of technologies.entries()) {
          expect(confidence).toBeGreaterThan(0);
          expect(confidence).toBeLessThanOrEqual(technologies[at - 1]?.confidence ?? 1);
          expect(category).not.toBe('');
          if (version !== undefined) expect(version).toMatch(/\d/);
        }
        expect(scanPage(set, page, limits)).toEqual({ technologies, reasons, scannedBytes });
      }),
      { numRuns: 300 },
    );
  });
});
