import type { ConnectorRow } from '../port/connector.js';

/** Characters that a cell is quoted for (RFC 4180, 2). */
const NEEDS_QUOTES = /[",\r\n]/;
/**
 * Cells that spreadsheets run as formulas, and those that some of them run without what is invisible at their start, or
 * after the semicolon at which they begin a cell. A quote before them makes them text (OWASP: CSV injection).
 */
const FORMULA = /^[\s\p{Cc}\p{Cf};]*[=+\-@|\t\r\uff1d\uff0b\uff0d\uff20]/u;

/** The first line of a CSV file. */
export function csvHeader(columns: readonly string[]): string {
  return line(columns.map(quoted));
}

/** One line of a CSV file by RFC 4180. Lists are joined, objects are JSON, missing fields are empty. */
export function csvLine(columns: readonly string[], row: ConnectorRow): string {
  return line(columns.map((name) => cell(row[name])));
}

/** A whole CSV file. */
export function csvFile(columns: readonly string[], rows: readonly ConnectorRow[]): string {
  return [csvHeader(columns), ...rows.map((row) => csvLine(columns, row))].join('');
}

function line(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}

function cell(value: unknown): string {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return Number.isFinite(Number(value)) ? String(value) : '';
    case 'boolean':
      return String(value);
    case 'string':
      return quoted(defused(value));
    case 'object':
      return value === null ? '' : quoted(defused(textOf(value)));
    case 'undefined':
    case 'function':
    case 'symbol':
      return '';
  }
}

function textOf(value: object): string {
  const isPlain = Array.isArray(value) && value.every((one) => typeof one !== 'object');
  return isPlain ? (value as readonly unknown[]).join('; ') : JSON.stringify(value);
}

function defused(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
