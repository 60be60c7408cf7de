/**
 * Whether there is anything in an HTML source but tags and white space. A `<` that is never closed counts as text.
 * One pass: the source is untrusted, and as long as a page may be.
 */
export function hasWords(html: string): boolean {
  for (let at = 0; at < html.length; at++) {
    if (html[at] === '<') {
      const end = html.indexOf('>', at);
      if (end === -1) return true;
      at = end;
    } else if (!isSpace(html, at)) return true;
  }
  return false;
}

function isSpace(html: string, at: number): boolean {
  return /\s/.test(html.charAt(at));
}
