/** Longer ones are no versions but whatever else a group caught. */
const MAX_VERSION_CHARS = 30;

/**
 * Fills a template of a version with the groups of a match: `\1` is a group, `\1?a:b` for `a` when
 * the group matched and `b` when not. Empty when what comes out is no version: without a digit, or
 * longer than 30 characters.
 */
export function fillVersion(template: string, groups: readonly (string | undefined)[]): string {
  const group = (digit: string): string => groups[Number(digit)] ?? '';
  const chosen = template.replace(
    /\\(\d)\?([^:]{0,200}):(.*)$/,
    (_, digit: string, yes: string, no: string) => (group(digit) === '' ? no : yes),
  );
  const version = chosen
    .replace(/\\(\d)/g, (_, digit: string) => group(digit))
    .replace(/^[\s._-]+|(?<![\s._-])[\s._-]+$/g, '');
  return version.length <= MAX_VERSION_CHARS && /\d/.test(version) ? version : '';
}

/** The one that says more: more parts, then more characters; the first of equals. */
export function betterVersion(known: string, other: string): string {
  const parts = other.split('.').length - known.split('.').length;
  return parts > 0 || (parts === 0 && other.length > known.length) ? other : known;
}
