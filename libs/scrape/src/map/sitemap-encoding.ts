/**
 * Whether a sitemap was sent in an encoding that the request did not accept. Sitemaps are fetched undecoded,
 * since a small file may be a compression bomb: the reader inflates gzip, detected by its bytes, in bounded
 * memory.
 */
export function hasUnexpectedEncoding(contentEncoding: string | readonly string[] = ''): boolean {
  return /\b(?:br|zstd|deflate|compress)\b/i.test(String(contentEncoding));
}
