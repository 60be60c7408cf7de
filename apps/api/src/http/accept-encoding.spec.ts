import { acceptsGzip, codingFor } from './accept-encoding.js';

describe('the content coding of a response', () => {
  it.each([
    'gzip',
    'x-gzip',
    'GZIP',
    'gzip, deflate',
    'deflate, gzip, br, zstd',
    'gzip;q=0.5, zstd;q=1.0',
    'gzip ; q=0.3',
    '*',
  ])('of %p is gzip', (accept) => {
    expect(acceptsGzip(accept)).toBe(true);
  });

  it.each([
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['*', 'zstd'],
    ['br;q=0.5, gzip', 'gzip'],
    ['zstd;q=0, *', 'br'],
    ['identity, gzip;q=0.9', null],
    ['deflate', null],
    ['', null],
    [undefined, null],
  ])('that accepts %p is %p', (accept, coding) => {
    expect(codingFor(accept)).toBe(coding);
  });

  it.each([
    undefined,
    '',
    'identity',
    'zstd',
    'br',
    'gzip;q=0',
    'identity;q=0.5, gzip;q=0.4',
    'identity;q=0',
    '*;q=0',
    'gzip;q=0, *',
    'gzip;q=7',
    'gzip;q=',
    `${'br,'.repeat(100_000)}gzip`,
  ])('of %p is none', (accept) => {
    expect(acceptsGzip(accept)).toBe(false);
  });
});
