/** Longer names are not compared: the cost grows with the product of the lengths. */
const MAX_COMPARED_CHARS = 64;
/** Shorter names must match exactly: any two of them are within one edit. */
const LEAST_CHARS = 3;
/** From this length on two edits are allowed instead of one. */
const LONG_NAME_CHARS = 9;

/**
 * The known name closest to a misspelt one, or null. Case, `_` and `-` are ignored:
 * `include_html` is `includeHtml`. Otherwise by edits (a character added, removed, changed, or two swapped).
 */
export function closestName(given: string, known: readonly string[]): string | null {
  if (given.length > MAX_COMPARED_CHARS) return null;
  const plain = plainOf(given);
  const allowed = editsAllowed(plain.length);
  let best: { readonly name: string; readonly edits: number } | null = null;
  for (const name of known) {
    if (name.length > MAX_COMPARED_CHARS) continue;
    const edits = editsBetween(plain, plainOf(name));
    if (edits <= allowed && (best === null || edits < best.edits)) best = { name, edits };
  }
  return best?.name ?? null;
}

function editsAllowed(chars: number): number {
  if (chars < LEAST_CHARS) return 0;
  return chars < LONG_NAME_CHARS ? 1 : 2;
}

function plainOf(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

/** Optimal string alignment distance. */
export function editsBetween(a: string, b: string): number {
  let twoBack: readonly number[] = [];
  let before = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        at(before, column) + 1,
        at(current, column - 1) + 1,
        at(before, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(twoBack, column - 2) + 1 : Infinity,
      );
    }
    twoBack = before;
    before = current;
  }
  return at(before, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
