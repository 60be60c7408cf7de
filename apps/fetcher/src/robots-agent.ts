/** The user agent for robots.txt rules: the product token of the User-Agent header (RFC 9309, 2.2.1). */
export function robotsAgent(userAgent: string): string {
  return /^[A-Za-z_-]+/.exec(userAgent)?.[0] ?? 'TrawlBot';
}
