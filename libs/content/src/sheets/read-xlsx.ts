import type { CpuBudget } from '../cpu-budget.js';
import { titleInXml, type FileContent } from '../files/file-content.js';
import type { FileOptions } from '../files/file-result.js';
import { OfficePackage, type Relationship } from '../files/office-package.js';
import { UnreadableFile } from '../files/unreadable-file.js';
import { unpackZip, type ZipParts } from '../files/unpack-zip.js';
import { child, childrenOf, type XmlElement } from '../files/xml-tree.js';
import { MAX_FILLED_CELLS, MAX_MERGED_CELLS, MAX_SHEET_COMMENTS, MAX_SHEETS } from '../limits.js';
import { numberFormat, cellNumber, type NumberFormat } from './number-format.js';
import { SheetBook } from './sheet-book.js';
import {
  emptyColumns,
  MAX_SHEET_COLUMNS,
  type SheetCell,
  type SheetRow,
  tidyCell,
} from './table-blocks.js';

const WANTED =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|docProps\/core\.xml|xl\/(?!calcChain)(?:worksheets\/|comments\/)?(?:_rels\/)?[\w .-]+\.(?:xml|rels))$/i;

/** Sheets may be larger than what is read of them. */
const SHEET = /^xl\/worksheets\/[\w .-]+\.xml$/i;

/**
 * The sheets of a workbook (ECMA-376 part 1, 18) in their order. What Excel hides is left out, and said.
 * @throws {UnreadableFile}
 */
export function readXlsx(bytes: Uint8Array, _: FileOptions, cpu: CpuBudget): FileContent {
  const cut = new Set<string>();
  const parts = unpackZip(bytes, WANTED, { names: SHEET, cut });
  return new WorkbookReader(parts, cut, cpu).read();
}

interface HiddenCount {
  rows: number;
  columns: number;
}

class WorkbookReader {
  private readonly file: OfficePackage;
  private readonly main: string;
  private readonly book: SheetBook;
  private strings: readonly string[] = [];
  private formats: readonly NumberFormat[] = [];
  private isFrom1904 = false;
  private fills = MAX_FILLED_CELLS;
  /** Sheets or texts that the file names are not in it. */
  private isPartial = false;

  constructor(
    private readonly parts: ZipParts,
    private readonly cut: ReadonlySet<string>,
    cpu: CpuBudget,
  ) {
    this.file = new OfficePackage(parts);
    this.main = this.file.related('', 'officeDocument', 'xl/workbook.xml');
    this.book = new SheetBook(cpu);
  }

  read(): FileContent {
    const workbook = this.file.read(this.main);
    if (workbook === undefined)
      throw new UnreadableFile('malformed', 'is damaged: its workbook is missing');
    this.isFrom1904 = isOn(child(workbook, 'x:workbookPr')?.attributes.date1904);
    this.strings = this.readStrings();
    this.formats = readFormats(this.file.read(this.nameOf('styles')));
    const all = childrenOf(child(workbook, 'x:sheets'), 'x:sheet');
    const sheets = all.slice(0, MAX_SHEETS);
    if (all.length > MAX_SHEETS) this.book.cutParts();
    const relationships = this.file.relationships(this.main);
    const hidden: string[] = [];
    for (const { attributes } of sheets) {
      const { name = '', state = 'visible', 'r:id': id = '' } = attributes;
      if (state !== 'visible') hidden.push(name);
      else if (!this.book.isFull) this.readSheet(name, relationships.get(id));
    }
    if (hidden.length > 0) this.book.note(`Hidden sheets, left out: ${hidden.join(', ')}.`);
    const content = this.book.finish(titleInXml(this.parts.get('docProps/core.xml')));
    return {
      ...content,
      cut: content.cut ?? (this.isPartial ? 'unreadable_parts' : this.file.links.cut),
    };
  }

  private nameOf(type: string): string {
    return this.file.related(this.main, type, `xl/${type}.xml`);
  }

  private readStrings(): string[] {
    const strings: string[] = [];
    const take = (item: XmlElement): boolean => strings.push(richText(item)) > 0;
    this.file.read(this.nameOf('sharedStrings'), { taken: STRINGS, take });
    return strings;
  }

  private readSheet(name: string, relationship: Relationship | undefined): void {
    const { target: part = '', type = 'worksheet' } = relationship ?? {};
    const rows: SheetRow[] = [];
    const hidden: HiddenCount = { rows: 0, columns: 0 };
    let isTooWide = false;
    let next = 1;
    const isCut = this.cut.has(part);
    const rest = this.file.read(part, {
      taken: ROWS,
      isCut,
      take: (element) => {
        const number = Number(element.attributes.r ?? next) || next;
        next = number + 1;
        const row = { number, cells: this.readCells(element) };
        isTooWide ||= row.cells.length > MAX_SHEET_COLUMNS;
        row.cells.length = Math.min(row.cells.length, MAX_SHEET_COLUMNS);
        if (row.cells.length === 0) return true;
        if (isOn(element.attributes.hidden)) hidden.rows++;
        else if (this.book.takes(row)) rows.push(row);
        return !this.book.isFull;
      },
    });
    if (rest === undefined) {
      if (isCut) this.book.cutParts();
      // Sheets of charts, and of kinds that newer programs have, are no tables.
      else this.isPartial ||= type === 'worksheet';
      return;
    }
    if (isCut && !this.book.isFull) this.book.cutRows();
    const byNumber = new Map(rows.map((row) => [row.number, row]));
    this.fillMerged(rest, byNumber);
    this.addLinks(rest, part, byNumber);
    hidden.columns = emptyColumns(rows, hiddenColumns(rest));
    const comments = this.readComments(part);
    const counts = { hiddenRows: hidden.rows, hiddenColumns: hidden.columns };
    this.book.add({ name, rows, ...counts, isTooWide, comments });
  }

  private readCells(row: XmlElement): SheetCell[] {
    const cells: SheetCell[] = [];
    let column = 0;
    for (const cell of row.children) {
      if (cell.name !== 'x:c') continue;
      column = placeOf(cell.attributes.r)?.column ?? column;
      const text = column <= MAX_SHEET_COLUMNS ? tidyCell(this.cellText(cell)) : '';
      if (text !== '' || column > MAX_SHEET_COLUMNS) {
        while (cells.length < Math.min(column, MAX_SHEET_COLUMNS)) cells.push('');
        cells[Math.min(column, MAX_SHEET_COLUMNS)] = text;
      }
      column++;
    }
    return cells;
  }

  /** By its type (18.18.11); a formula's value is the one computed last. */
  private cellText(cell: XmlElement): string {
    const { t: type = 'n', s: style } = cell.attributes;
    if (type === 'inlineStr') return richText(child(cell, 'x:is'));
    const value = child(cell, 'x:v')?.text ?? '';
    if (value === '') return '';
    switch (type) {
      case 's':
        return this.sharedText(Number(value));
      case 'b':
        return value.trim() === '1' ? 'TRUE' : 'FALSE';
      case 'n': {
        const number = value.trim() === '' ? NaN : Number(value);
        if (!Number.isFinite(number)) return value;
        return cellNumber(number, this.formats[Number(style ?? 0)] ?? PLAIN, this.isFrom1904);
      }
      case 'd':
        return value
          .slice(0, MAX_DATE_CHARS)
          .replace('T', ' ')
          .replace(/(?: 00:00:00)?(?:\.0+)?Z?$/, '');
      default:
        return unescaped(value);
    }
  }

  private sharedText(index: number): string {
    const text = this.strings[index];
    this.isPartial ||= text === undefined;
    return text ?? '';
  }

  /** A cell merged over rows belongs to each of them; over columns it is a heading of the first one. */
  private fillMerged(sheet: XmlElement, rows: ReadonlyMap<number, SheetRow>): void {
    const merged = childrenOf(child(sheet, 'x:mergeCells'), 'x:mergeCell');
    for (const { attributes } of merged.slice(0, MAX_MERGED_CELLS)) {
      const [from, to] = (attributes.ref ?? '').split(':').map(placeOf);
      if (!from || !to || from.column >= MAX_SHEET_COLUMNS) continue;
      const value = rows.get(from.row)?.cells[from.column] ?? '';
      if (typeof value !== 'string' || value === '') continue;
      for (let number = from.row + 1; number <= to.row && this.fills > 0; number++) {
        this.fills--;
        const cells = rows.get(number)?.cells;
        if (cells === undefined) continue;
        if (!this.book.budget.takeText(value)) return this.book.cutRows();
        this.fills -= Math.max(0, from.column - cells.length);
        while (cells.length < from.column) cells.push('');
        cells[from.column] ||= value;
      }
    }
  }

  private addLinks(sheet: XmlElement, part: string, rows: ReadonlyMap<number, SheetRow>): void {
    const relationships = this.file.relationships(part);
    for (const { attributes } of childrenOf(child(sheet, 'x:hyperlinks'), 'x:hyperlink')) {
      const place = placeOf((attributes.ref ?? '').split(':', 1)[0]);
      const cells = rows.get(place?.row ?? 0)?.cells;
      if (place === undefined || cells === undefined) continue;
      const cell = cells[place.column];
      if (typeof cell !== 'string' || cell === '') continue;
      const link = relationships.link(attributes['r:id']);
      if (link === undefined) continue;
      if (/^(?:https?|mailto|tel|ftp):/i.test(link)) cells[place.column] = { text: cell, link };
    }
  }

  private readComments(part: string): string[] {
    const name = this.file.related(part, 'comments', '');
    const all = childrenOf(child(this.file.read(name), 'x:commentList'), 'x:comment');
    const texts = all
      .slice(0, MAX_SHEET_COMMENTS)
      .map((comment) => {
        const text = richText(child(comment, 'x:text')).trim();
        return text === '' ? '' : `${comment.attributes.ref ?? ''}: ${text}`;
      })
      .filter((text) => text !== '');
    // Sheets may name the same ones.
    const kept = texts.filter((text) => this.book.budget.takeText(text));
    if (all.length > MAX_SHEET_COMMENTS || kept.length < texts.length) this.book.cutParts();
    return kept;
  }
}

const STRINGS = new Set(['x:si']);
const ROWS = new Set(['x:row']);

const MAX_DATE_CHARS = 40;

const PLAIN: NumberFormat = { kind: 'plain' };

const isOn = (value: string | undefined): boolean => value === '1' || value === 'true';

/** Text of runs, without the readings that East Asian texts have beside them. */
function richText(item: XmlElement | undefined): string {
  let text = '';
  for (const one of item?.children ?? []) {
    if (one.name === 'x:t') text += one.text;
    else if (one.name === 'x:r') text += child(one, 'x:t')?.text ?? '';
  }
  return unescaped(text);
}

/** Characters that XML cannot hold, or an underscore that would start one (22.4.2.4); controls are dropped. */
function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([\da-fA-F]{4})_/g, (_, code: string) => {
    const character = Number.parseInt(code, 16);
    const isShown = character >= 32 || character === 9 || character === 10;
    return isShown ? String.fromCharCode(character) : '';
  });
}

interface Place {
  /** From 1. */
  readonly row: number;
  /** From 0. */
  readonly column: number;
}

/** `B12`. */
function placeOf(reference: string | undefined): Place | undefined {
  const [, letters = '', row = ''] = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})$/.exec(reference ?? '') ?? [];
  if (letters === '') return undefined;
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return { row: Number(row), column: column - 1 };
}

/** Formats of cells by the number that a cell names. */
function readFormats(styles: XmlElement | undefined): NumberFormat[] {
  const codes = new Map<string, string>();
  for (const format of childrenOf(child(styles, 'x:numFmts'), 'x:numFmt')) {
    const { numFmtId = '', formatCode = '' } = format.attributes;
    codes.set(numFmtId, formatCode);
  }
  const formats = new Map<string, NumberFormat>();
  return childrenOf(child(styles, 'x:cellXfs'), 'x:xf').map(({ attributes }) => {
    const id = attributes.numFmtId ?? '0';
    const known = formats.get(id) ?? numberFormat(Number(id), codes.get(id));
    formats.set(id, known);
    return known;
  });
}

/** Columns that are not shown, from 0. */
function hiddenColumns(sheet: XmlElement): Set<number> {
  const hidden = new Set<number>();
  const described = childrenOf(child(sheet, 'x:cols'), 'x:col').slice(0, MAX_SHEET_COLUMNS);
  for (const { attributes } of described) {
    if (!isOn(attributes.hidden)) continue;
    const first = Math.max(Math.trunc(Number(attributes.min)) || 1, 1);
    const last = Math.min(Number(attributes.max) || 0, MAX_SHEET_COLUMNS);
    for (let column = first; column <= last; column++) hidden.add(column - 1);
  }
  return hidden;
}
