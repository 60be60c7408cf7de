/**
 * Name of the encoding a label means (WHATWG Encoding, 4.2): ASCII white space around it and
 * the case of its letters do not count. Undefined when the label is unknown, or when it is one of
 * the "replacement" encodings (HZ, ISO-2022-KR, ISO-2022-CN): browsers show such a page as a single
 * U+FFFD for the sake of scripts, a reader of text is better off without the declaration.
 */
export function encodingOfLabel(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    // RangeError is how TextDecoder says "no such label"; there is no question to ask beforehand.
    return undefined;
  }
}

/**
 * What a label means inside the page that it describes (HTML standard 13.2.3.2): who read it as
 * ASCII does not hold UTF-16, and x-user-defined never means itself there.
 */
export function declaredEncoding(label: string): string | undefined {
  const encoding = encodingOfLabel(label);
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return 'utf-8';
  return encoding === 'x-user-defined' ? 'windows-1252' : encoding;
}
