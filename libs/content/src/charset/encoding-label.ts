/**
 * Name of the encoding a label stands for (WHATWG Encoding, 4.2), or undefined when it is unknown
 * or one of the "replacement" encodings, which no decoder here supports.
 */
export function encodingOfLabel(label: string): string | undefined {
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    // RangeError is how TextDecoder says "no such label"; there is no question to ask beforehand.
    return undefined;
  }
}
