/** Markup that may be sent as it is. Only {@link html} makes it: a text never becomes one by a cast. */
class Markup {
  // Makes the type nominal: an object that looks like markup is none.
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type Html = Markup;

/** What may stand in a template. Of null, undefined and false nothing is shown. */
export type Piece = Html | string | number | bigint | null | undefined | false | readonly Piece[];

/**
 * Markup with values in it. Every value that is not markup itself is escaped, for text and for
 * attributes in double quotes alike; unquoted attributes, scripts and styles are no place for values.
 */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  let text = strings[0] ?? '';
  pieces.forEach((piece, index) => {
    text += textOf(piece) + (strings[index + 1] ?? '');
  });
  return new Markup(text);
}

function textOf(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return '';
  if (piece instanceof Markup) return piece.toString();
  if (Array.isArray(piece)) return piece.map(textOf).join('');
  return escaped(String(piece));
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
}
