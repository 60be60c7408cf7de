/** Whether a text is a JSON pointer (RFC 6901) to something inside the document. */
export function isJsonPointer(text: string): boolean {
  return /^(?:\/(?:[^~/]|~[01])*)+$/.test(text);
}

/** The value at a JSON pointer (RFC 6901); undefined when there is none. */
export function valueAtPointer(document: unknown, pointer: string): unknown {
  let value = document;
  for (const part of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined;
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
