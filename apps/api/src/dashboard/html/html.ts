/**
 * Markup that is sent without escaping. Only {@link html} and {@link renderedMarkup} create it: a cast cannot turn a text
 * into it.
 */
class Markup {
  // Makes the type nominal: a look-alike object does not match.
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type Html = Markup;

/** Values allowed in a template. Null, undefined and false render nothing. */
export type Piece = Html | string | number | bigint | null | undefined | false | readonly Piece[];

/**
 * Markup with values in it. Every value that is not markup is escaped, for text and for attributes
 * in double quotes alike; unquoted attributes, scripts and styles must not contain values.
 */
export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  let text = strings[0] ?? '';
  pieces.forEach((piece, index) => {
    text += textOf(piece) + (strings[index + 1] ?? '');
  });
  return new Markup(text);
}

/** Takes over what a renderer that escapes every text has made; for Markdown alone. */
export function renderedMarkup(text: string): Html {
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
