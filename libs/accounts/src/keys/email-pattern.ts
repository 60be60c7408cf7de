export const MAX_EMAIL_CHARS = 254;

/**
 * An e-mail address as HTML forms take it, with at least one dot in its domain: nothing in it is read by
 * mail programs as a second address or a header. Source of a regular expression.
 */
export const EMAIL_PATTERN =
  "^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$";

export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_CHARS && new RegExp(EMAIL_PATTERN).test(text);
}
