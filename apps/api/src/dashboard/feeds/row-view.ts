import { dataTable } from '../html/data-table.js';
import { html, type Html, type Piece } from '../html/html.js';
import { webAddress, webLink } from '../html/web-link.js';
import { isRecord } from '../http/one-time-notes.js';

/** Of one value of a row; the whole is in its file. */
const MAX_CELL_CHARS = 300;
/** Lines of a difference that are shown. */
const MAX_DIFF_LINES = 200;
const MAX_LINE_CHARS = 1_000;

type Row = Readonly<Record<string, unknown>>;

/** A value of a row, in words. */
export function cellText(value: unknown): Piece {
  if (value === undefined || value === null) return '–';
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  const text = isList
    ? value.join(', ')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
  const shown = text.length > MAX_CELL_CHARS ? `${text.slice(0, MAX_CELL_CHARS)}…` : text;
  return webAddress(text) === null ? shown : webLink(text, shown);
}

/** Rows of a connector. */
export function rowTable(caption: string, { rows, columns = [], empty }: RowTable): Html {
  const names =
    columns.length > 0 ? columns : [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return dataTable({
    caption,
    columns: names.map((name) => ({
      title: name,
      cell: (row: Row) => cellText(row[name]),
      kind: 'address' as const,
    })),
    rows,
    empty,
  });
}

interface RowTable {
  readonly rows: readonly Row[];
  /** @default all fields that a row has */
  readonly columns?: readonly string[];
  /** In place of no rows. */
  readonly empty: string;
}

/** What a row is about: its name, with a link where it has an address. */
export function rowTitle(row: Row): Piece {
  const texts = (...names: readonly string[]): string | undefined =>
    names.map((name) => row[name]).find((value) => typeof value === 'string' && value !== '') as
      string | undefined;
  const title = texts('title', 'name', 'domain', 'url') ?? 'A row';
  const address = texts('url', 'website', 'maps_url');
  const shown = title.slice(0, MAX_CELL_CHARS);
  return address === undefined ? shown : webLink(address, shown);
}

/** What changed of a row: the text of a page beside its former one, or each field before and after. */
export function changesView(changes: Row): Html {
  const { diff } = changes;
  if (typeof diff === 'string') return sideBySide(diff);
  const fields = Object.entries(changes).filter(([, change]) => isRecord(change));
  const rows = fields.map(([name, change]) => {
    const { before, after } = change as Row;
    return html`<tr>
      <th scope="row">${name}</th>
      <td class="gone">${cellText(before)}</td>
      <td class="come">${cellText(after)}</td>
    </tr>`;
  });
  return diffTable(['Field', 'Before', 'After'], rows);
}

function diffTable(titles: readonly string[], rows: readonly Html[]): Html {
  return html`<table class="diff">
    <caption>
      What changed
    </caption>
    <thead>
      <tr>
        ${titles.map((title) => html`<th scope="col">${title}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

/** A line of the former text beside the one that took its place; null: none did. */
type LinePair = readonly [before: string | null, after: string | null];

/** A unified difference as two columns. */
function sideBySide(diff: string): Html {
  const all = diff.split('\n');
  // What stands before the first part names files.
  const lines = all.slice(
    Math.max(
      0,
      all.findIndex((line) => line.startsWith('@@')),
    ),
  );
  const rows = pairsOf(lines.slice(0, MAX_DIFF_LINES)).map(
    ([before, after]) =>
      html`<tr>
        ${side(before, before === after ? '' : 'gone')}
        ${side(after, before === after ? '' : 'come')}
      </tr>`,
  );
  return html`${diffTable(['Before', 'After'], rows)}
  ${lines.length > MAX_DIFF_LINES && html`<p class="cut">Shown up to here.</p>`}`;
}

const side = (line: string | null, kind: string): Html =>
  html`<td class="${line === null ? '' : kind}">${line?.slice(0, MAX_LINE_CHARS)}</td>`;

function pairsOf(lines: readonly string[]): readonly LinePair[] {
  const pairs: LinePair[] = [];
  let gone: string[] = [];
  let come: string[] = [];
  const flush = (): void => {
    for (let at = 0; at < Math.max(gone.length, come.length); at += 1)
      pairs.push([gone[at] ?? null, come[at] ?? null]);
    [gone, come] = [[], []];
  };
  for (const line of lines) {
    if (line.startsWith('-')) gone.push(line.slice(1));
    else if (line.startsWith('+')) come.push(line.slice(1));
    else {
      flush();
      if (line.startsWith('@@')) pairs.push(['…', '…']);
      else pairs.push([line.slice(1), line.slice(1)]);
    }
  }
  flush();
  return pairs;
}
