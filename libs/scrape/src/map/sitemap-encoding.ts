/**
 * Whether a sitemap was sent in a way that we did not say we read. They are fetched undecoded, since a
 * small file may be a bomb: the reader inflates gzip, known by its bytes, in bounded memory.
 */
export function isOtherwiseEncoded(contentEncoding: string | readonly string[] = ''): boolean {
  return /\b(?:br|zstd|deflate|compress)\b/i.test(String(contentEncoding));
}
