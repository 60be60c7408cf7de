/** Field names that mails start with (RFC 5322, 3.6), and mail servers put before them. */
const MAIL_FIELD =
  /^(?:from|to|cc|subject|date|message-id|mime-version|received|return-path|reply-to|delivered-to|content-type|dkim-signature|x-[\w-]{1,40}):/i;

/** Characters at the start of a text that show whether it is a table or a mail. */
export const SIGN_CHARS = 16_384;

/** Lines of them. */
const MAX_LINES = 40;
const MIN_MAIL_FIELDS = 3;

/** Whether a text starts as a mail does: several of its fields, From and one that a mail has among them. */
export function looksLikeMail(head: string): boolean {
  const lines = head.split('\n', MAX_LINES);
  // The first line of a mailbox.
  if (lines[0]?.startsWith('From ')) lines.shift();
  const end = lines.findIndex((line) => line.trim() === '');
  const fields = lines.slice(0, end === -1 ? lines.length : end);
  const named = fields.filter((line) => MAIL_FIELD.test(line));
  const isField = (line: string): boolean => /^[\w-]{1,76}:|^[ \t]/.test(line);
  return (
    named.length >= MIN_MAIL_FIELDS &&
    named.some((line) => /^(?:from|received|return-path):/i.test(line)) &&
    fields.every(isField)
  );
}

export const DELIMITERS = ['\t', ',', ';', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** Rows that must agree before a text is taken for a table. */
const MIN_ROWS = 3;
const MIN_TABBED_ROWS = 2;

/** The delimiter that all whole lines of a text have the same number of; undefined: it is no table. */
export function regularDelimiter(head: string): Delimiter | undefined {
  const rows = countedRows(head);
  return DELIMITERS.find((delimiter) => {
    const [first = 0, ...others] = rows.map((row) => row.get(delimiter) ?? 0);
    const min = delimiter === '\t' ? MIN_TABBED_ROWS : MIN_ROWS;
    return first > 0 && rows.length >= min && others.every((count) => count === first);
  });
}

/** The delimiter that fits a table best: most rows have the first one's number of it. @default comma */
export function likelyDelimiter(head: string): Delimiter {
  const rows = countedRows(head);
  let best: Delimiter = ',';
  let bestScore = 0;
  for (const delimiter of DELIMITERS) {
    const counts = rows.map((row) => row.get(delimiter) ?? 0);
    const usual = mostFrequent(counts.filter((count) => count > 0));
    // Agreement outweighs number: a text in cells has commas, too.
    const score = counts.filter((count) => count > 0 && count === usual).length;
    if (score > bestScore) [best, bestScore] = [delimiter, score];
  }
  return best;
}

function mostFrequent(counts: readonly number[]): number {
  const times = new Map<number, number>();
  let best = 0;
  for (const count of counts) {
    const seen = (times.get(count) ?? 0) + 1;
    times.set(count, seen);
    if (seen > (times.get(best) ?? 0)) best = count;
  }
  return best;
}

/** How often each delimiter is in the rows of a text, outside of quotes; without the last row of a text that is cut. */
function countedRows(head: string): ReadonlyMap<string, number>[] {
  const rows: Map<string, number>[] = [];
  let row = new Map<string, number>();
  let isQuoted = false;
  let isBlank = true;
  for (const character of head) {
    if (character === '"') isQuoted = !isQuoted;
    if (character === '\n' && !isQuoted) {
      if (!isBlank) rows.push(row);
      if (rows.length >= MAX_LINES) return rows;
      [row, isBlank] = [new Map(), true];
    } else {
      if (character.trim() !== '') isBlank = false;
      if (!isQuoted && (DELIMITERS as readonly string[]).includes(character))
        row.set(character, (row.get(character) ?? 0) + 1);
    }
  }
  const isWhole = head.length < SIGN_CHARS || rows.length === 0;
  if (isWhole && !isBlank) rows.push(row);
  return rows;
}
