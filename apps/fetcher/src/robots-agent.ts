/** The name robots.txt rules are looked up by: the product token of the user agent (RFC 9309, 2.2.1). */
export function robotsAgent(userAgent: string): string {
  return /^[A-Za-z_-]+/.exec(userAgent)?.[0] ?? 'TrawlBot';
}
