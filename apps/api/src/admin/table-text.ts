type Cell = string | number | boolean | Date | null;

/** Rows under their headings, aligned for a terminal; control characters from outside are stripped. */
export function tableText(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return 'none';
  const lines = [headings, ...rows.map((row) => row.map(cellText))];
  const widths = headings.map((_, n) => Math.max(...lines.map((line) => line[n]?.length ?? 0)));
  return lines
    .map((line) => line.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

/** One line per field. */
export function fieldsText(fields: Readonly<Record<string, Cell>>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}  ${cellText(value)}`)
    .join('\n');
}

function cellText(cell: Cell): string {
  if (cell === null) return '–';
  if (cell instanceof Date) return cell.toISOString();
  // A terminal would obey control and format characters (Unicode Cc, Cf).
  return String(cell).replace(/\p{C}/gu, '\u{fffd}');
}
