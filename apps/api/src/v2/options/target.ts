const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const HOST_AND_PORT = /^[^/?#:@]+:\d{1,5}(?![^/?#])/;

/**
 * The URL that a caller means: a host without a scheme is reached by http. Other schemes stay, and are refused with every
 * other URL that is not http or https.
 */
export function withScheme(target: unknown): unknown {
  if (typeof target !== 'string' || target === '') return target;
  if (target.startsWith('//')) return `http:${target}`;
  if (SCHEME.test(target) && !HOST_AND_PORT.test(target)) return target;
  return `http://${target}`;
}
