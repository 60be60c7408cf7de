import { Deadline } from '@app/contracts';
import type { ScanInput, TechReason } from '../technology.js';
import type { Fingerprint } from '../fingerprint.js';
import { compileFingerprints } from './compile-fingerprints.js';
import { scanPage, type ScanOutcome } from './scan-page.js';

type Marks = Omit<Fingerprint, 'name' | 'category'>;

function scan(marks: Marks, input: Partial<ScanInput>): ScanOutcome {
  const set = compileFingerprints([{ name: 'X', category: 'Any', ...marks }]);
  const whole = { url: 'https://site.test/', headers: {}, cookies: {}, html: '', ...input };
  return scanPage(set, whole, { deadline: Deadline.after(60_000) });
}

const isSeen = (outcome: ScanOutcome): boolean => outcome.technologies.length > 0;

const reasonsOf = (input: Partial<ScanInput>): readonly TechReason[] =>
  scan({ html: 'vendor' }, input).reasons;

describe('the caps of a scan', () => {
  const KB = 1_024;
  const items = (count: number, item: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => item(index)).join('');
  const named = (count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, '1']));
  const lists = (count: number): Record<string, string[]> =>
    Object.fromEntries(Object.keys(named(count)).map((name) => [name, ['1']]));

  it.each<[TechReason, string, (amount: number) => Partial<ScanInput>, number]>([
    ['html_cap', 'bytes of HTML', (bytes) => ({ html: 'x'.repeat(bytes) }), 512 * KB],
    ['tag_scan_cap', 'bytes of HTML', (bytes) => ({ html: 'x'.repeat(bytes) }), 4_096 * KB],
    [
      'value_cap',
      'characters of a header',
      (chars) => ({ headers: { a: ['x'.repeat(chars)] } }),
      2_000,
    ],
    [
      'value_cap',
      'characters of a cookie',
      (chars) => ({ cookies: { a: 'x'.repeat(chars) } }),
      2_000,
    ],
    [
      'value_cap',
      'characters of a global',
      (chars) => ({ globals: { a: 'x'.repeat(chars) } }),
      2_000,
    ],
    ['value_cap', 'characters of an address', (chars) => ({ url: 'x'.repeat(chars) }), 2_000],
    ['value_cap', 'characters of a request', (chars) => ({ requests: ['x'.repeat(chars)] }), 2_000],
    [
      'value_cap',
      'characters of a meta',
      (chars) => ({ html: `<meta name=a content=${'x'.repeat(chars)}>` }),
      2_000,
    ],
    [
      'value_cap',
      'characters of a script URL',
      (chars) => ({ html: `<script src=${'x'.repeat(chars)}>` }),
      2_000,
    ],
    [
      'item_cap',
      'script URLs',
      (count) => ({ html: items(count, (index) => `<script src=${index}></script>`) }),
      500,
    ],
    [
      'item_cap',
      'metas',
      (count) => ({ html: items(count, (index) => `<meta name=n${index} content=1>`) }),
      500,
    ],
    ['item_cap', 'cookies', (count) => ({ cookies: named(count) }), 500],
    ['item_cap', 'globals', (count) => ({ globals: named(count) }), 500],
    ['item_cap', 'headers', (count) => ({ headers: lists(count) }), 500],
    [
      'item_cap',
      'values of a header',
      (count) => ({ headers: { a: Array.from({ length: count }, () => '1') } }),
      500,
    ],
    ['item_cap', 'tags of one kind', (count) => ({ html: '<b></b>'.repeat(count) }), 2_000],
    [
      'inline_script_cap',
      'bytes of a script',
      (bytes) => ({ html: `<script>${'x'.repeat(bytes)}</script>` }),
      64 * KB,
    ],
    [
      'inline_script_cap',
      'bytes of all scripts',
      (bytes) => ({
        html:
          `<script>${'x'.repeat(8_192)}</script>`.repeat(63) +
          `<script>${'y'.repeat(bytes - 63 * 8_192)}</script>`,
      }),
      512 * KB,
    ],
  ])('gives %s for more than the cap of %s, not at it', (reason, _, inputOf, cap) => {
    expect(reasonsOf(inputOf(cap - 1))).not.toContain(reason);
    expect(reasonsOf(inputOf(cap))).not.toContain(reason);
    expect(reasonsOf(inputOf(cap + 1))).toContain(reason);
  });

  it.each<[string, Marks, (filler: number) => Partial<ScanInput>, number]>([
    [
      'a header beyond 2,000 characters',
      { headers: { a: 'vendor' } },
      (chars) => ({ headers: { a: ['x'.repeat(chars) + 'vendor'] } }),
      1_994,
    ],
    [
      'the source in the middle of a large page',
      { html: 'vendor' },
      (bytes) => ({ html: 'x'.repeat(bytes) + 'vendor' + 'x'.repeat(200 * KB) }),
      384 * KB - 6,
    ],
    [
      'the 501st script',
      { scriptSrc: 'vendor' },
      (count) => ({
        html: '<script src=x></script>'.repeat(count) + '<script src=vendor></script>',
      }),
      499,
    ],
    [
      'the 2,001st tag of a kind',
      { dom: ['b.vendor'] },
      (count) => ({ html: '<b>'.repeat(count) + '<b class=vendor>' }),
      1_999,
    ],
    [
      'a script beyond 64 KB',
      { scripts: 'vendor' },
      (bytes) => ({ html: `<script>${'x'.repeat(bytes)}vendor</script>` }),
      64 * KB - 6,
    ],
    [
      'a tag beyond 4 MB',
      { dom: ['#vendor'] },
      (bytes) => ({ html: 'x'.repeat(bytes) + '<b id=vendor>' }),
      4_096 * KB - 13,
    ],
  ])('does not see %s, and the one before it', (_, marks, inputOf, filler) => {
    expect(isSeen(scan(marks, inputOf(filler)))).toBe(true);
    expect(isSeen(scan(marks, inputOf(filler + 1)))).toBe(false);
  });

  it('sees the end of a large page', () => {
    const html = 'x'.repeat(900 * KB) + 'vendor';
    expect(scan({ html: 'vendor' }, { html })).toMatchObject({
      technologies: [{ name: 'X' }],
      reasons: ['html_cap'],
      scannedBytes: 900 * KB + 6,
    });
  });

  it('does not match a cut of a page as its beginning or end', () => {
    const html = '-'.repeat(384 * KB) + ' middle ' + 'z'.repeat(128 * KB);
    expect(isSeen(scan({ html: ['-{9}$', '^zz', '^z+$'] }, { html }))).toBe(false);
    expect(isSeen(scan({ html: ['^--'] }, { html }))).toBe(true);
  });
});
