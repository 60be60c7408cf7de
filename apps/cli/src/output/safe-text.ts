/**
 * Characters that control a terminal: C0 but tab and line feed, DEL, C1, and marks that change the direction of
 * writing. An escape sequence without its first character is harmless text.
 */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text of the web that a terminal shows and does not obey. */
export function safeForTerminal(text: string): string {
  return text.replace(CONTROLS, '');
}
