const NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Reads `key=value,key=value` with percent-encoded values (OpenTelemetry specification, protocol exporter).
 * @throws Error with the rule that the text breaks; never with a value
 */
export function parseOtlpHeaders(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(pairs.map(headerOf));
}

function headerOf(pair: string): readonly [name: string, value: string] {
  const at = pair.indexOf('=');
  const name = pair.slice(0, at).trim();
  if (at < 1 || !NAME.test(name)) throw new Error('must be a list of key=value, comma-separated');
  try {
    return [name, decodeURIComponent(pair.slice(at + 1).trim())];
  } catch {
    throw new Error(`the value of ${name} must be percent-encoded`);
  }
}
