/** What opens an item of a list. */
export interface ListMarker {
  readonly kind: 'bullet' | 'number' | 'letter';
  /** Of a numbered item. */
  readonly number?: number;
  /** UTF-16 units with the space behind it. */
  readonly length: number;
}

/** Bullets of text and symbol fonts; the latter's are private characters. */
const BULLET =
  /^(?:[•‣◦▪▫●○■□◆◇►▶➢➤✓✔❖∙⁃\uf0b7\uf0a7\uf0a8\uf0d8\uf076\uf0fc\uf06e]\s*|[-–—*·]\s+)(?=\S)/;
const NUMBER = /^(\d{1,3})[.)]\s+(?=\S)/;
const LETTER = /^(?:\((?:[a-z]|[ivx]{1,4}|\d{1,2})\)|(?:[a-zA-Z]|[ivx]{1,4})\))\s+(?=\S)/;

export function listMarker(text: string): ListMarker | undefined {
  const bullet = BULLET.exec(text);
  if (bullet !== null) return { kind: 'bullet', length: bullet[0].length };
  const number = NUMBER.exec(text);
  if (number !== null) {
    return { kind: 'number', number: Number(number[1]), length: number[0].length };
  }
  const letter = LETTER.exec(text);
  return letter === null ? undefined : { kind: 'letter', length: letter[0].length };
}
