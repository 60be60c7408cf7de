import { zstdCompressSync } from 'node:zlib';
import type { OwnPage } from '@app/testing';

const MB = 1_000_000;

/** One hostile caller's request, by name; paths are those of {@link ATTACK_PAGES}. */
export interface Attack {
  readonly name: string;
  readonly path: string;
  /** Of the scrape, beside its address. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Another endpoint than `/v1/scrape`; the body is then the whole request. */
  readonly endpoint?: string;
}

const html =
  (body: () => string, head = ''): OwnPage =>
  ({ response }) =>
    void response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      .end(
        `<!doctype html><html><head><title>x</title>${head}</head><body>${body()}</body></html>`,
      );

const encoded =
  (codings: string, bytes: Buffer): OwnPage =>
  ({ response }) =>
    void response
      .writeHead(200, { 'content-type': 'text/html', 'content-encoding': codings })
      .end(bytes);

/** Zeros, compressed four times over: kilobytes that were gigabytes. */
function zstdFour(): Buffer {
  let bytes: Buffer = zstdCompressSync(Buffer.alloc(200 * MB));
  for (let coding = 1; coding < 4; coding++) bytes = zstdCompressSync(bytes);
  return bytes;
}

const CONSOLE_FLOOD = `<p>A page with a loud script and enough words to be a page of its own.</p><script>
const line = 'x'.repeat(10 * ${MB});
setInterval(() => { for (let n = 0; n < 5; n++) console.log(line + n); }, 10);
</script>`;

/** What costs a reader most for its size, each under its own path. */
export const ATTACK_PAGES: Readonly<Record<string, OwnPage>> = {
  '/console-flood': html(() => CONSOLE_FLOOD),
  '/openings': html(() => `<p>text</p>${'<'.repeat(300_000)}`),
  '/links': html(() => '<a href=/n>x</a>'.repeat((10 * MB) / 16)),
  '/srcset': html(() => `<p>text</p><img alt=x srcset="${'a'.repeat(90_000)} b">`),
  '/deep-canonical': html(
    () => '<p>text</p>',
    `<link rel="canonical" href="/${'/'.repeat(15_000)}x">`,
  ),
  '/zstd-four': encoded('zstd, zstd, zstd, zstd', zstdFour()),
  '/never': () => new Promise<void>(() => undefined),
};

/** Refused before it is compiled, or compiled within a bound. */
const SCHEMA_BOMB = {
  type: 'object',
  allOf: Array.from({ length: 240 }, (_, n) => ({
    if: { properties: { [`a${n}`]: { const: n } } },
    then: { properties: { [`b${n}`]: { type: 'string' } } },
  })),
  unevaluatedProperties: false,
};

export const ATTACKS: readonly Attack[] = [
  { name: 'console flood', path: '/console-flood', body: { forceHeadless: true } },
  { name: 'openings without an end, rendered', path: '/openings', body: { forceHeadless: true } },
  { name: '10 MB of links', path: '/links', body: { formats: ['markdown', 'links'] } },
  { name: 'srcset without an end', path: '/srcset' },
  { name: 'canonical of slashes', path: '/deep-canonical' },
  { name: 'zstd four times', path: '/zstd-four' },
  { name: 'tarpit', path: '/never' },
  { name: 'tarpit, rendered', path: '/never', body: { forceHeadless: true } },
  {
    name: 'schema bomb',
    path: '/',
    endpoint: '/v1/extract',
    body: { html: '<p>x</p>', schema: SCHEMA_BOMB },
  },
];
