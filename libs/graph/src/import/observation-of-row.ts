import { phoneIn } from '@app/company';
import { readCountry, usState } from '@app/content';
import { companyDomain } from '../evidence/company-domain.js';
import { isDeskMailbox } from '../evidence/desk-mailbox.js';
import type {
  BusinessLocation,
  Fact,
  FactField,
  FactValues,
  Observation,
} from '../evidence/facts.js';
import { storable } from '../evidence/storable.js';
import { licenseKey } from '../lookup/business-question.js';
import { nameKey } from '../match/name-key.js';
import { registrableDomain } from '../match/registrable-domain.js';
import type { ImportField, ImportMap } from './import-map.js';

/** Longer cells are those of a broken file. */
const MAX_CELL_CHARS = 2_000;

/** A row's values by column; nested ones of NDJSON by their path. */
export type ImportRow = Readonly<Record<string, unknown>>;

/** The facts of a row, or why it is left out; null: the map selects it not. */
export function observationOfRow(
  row: ImportRow,
  map: ImportMap,
  seenAt: Date,
): Observation | { readonly reject: string } | null {
  const isSelected = Object.entries(map.only).every(([name, values]) =>
    values.includes(cellOf(row, name)),
  );
  if (!isSelected) return null;
  const read = (field: ImportField): string => firstCell(row, map.fields[field]);
  const name = read('name');
  if (name === '') return { reject: 'no name' };
  if (name.length > MAX_CELL_CHARS)
    return { reject: `the name is longer than ${MAX_CELL_CHARS} characters` };
  if (nameKey(name) === '') return { reject: 'the name has no letters or digits' };
  const add = factAdder(map);
  add.fact('name', name);
  addPlace(read, map, add);
  addKeys(read, map, add);
  addDetails(read, add);
  const { facts } = add;
  if (facts.length < 2) return { reject: 'a name alone identifies no business' };
  return { source: `import:${map.source}`, seenAt, site: null, facts };
}

interface FactAdder {
  readonly facts: Fact[];
  fact<F extends FactField>(field: F, value: FactValues[F] | undefined): void;
}

function factAdder({ confidence }: ImportMap): FactAdder {
  const facts: Fact[] = [];
  return {
    facts,
    fact: (field, value) => {
      if (value === undefined || value === '') return;
      facts.push({ field, value: storable(value), confidence, url: null } as Fact);
    },
  };
}

type Read = (field: ImportField) => string;

function addPlace(read: Read, map: ImportMap, { fact }: FactAdder): void {
  const country = readCountry(read('country')) ?? map.country;
  const region = read('state').replace(/^[A-Z]{2}-/, '');
  const state = usState(region) ?? (region || undefined);
  const parts = { street: read('street'), city: read('city'), zip: read('zip') };
  const present = Object.entries(parts).filter(([, value]) => value !== '');
  const location: BusinessLocation = {
    ...Object.fromEntries(present),
    ...(state === undefined ? {} : { state }),
    ...(country === undefined ? {} : { country }),
  };
  if (location.city !== undefined || location.zip !== undefined) fact('location', location);
}

function addKeys(read: Read, map: ImportMap, { fact }: FactAdder): void {
  const domain = registrableDomain(read('website'));
  fact('domain', domain);
  fact('phone', phoneIn(read('phone'), readCountry(read('country')) ?? map.country));
  const email = read('email').toLowerCase();
  const owner = domain ?? companyDomain(email.slice(email.lastIndexOf('@') + 1));
  if (owner !== null && isDeskMailbox(email, owner)) fact('email', email);
  fact('uei', read('uei').toUpperCase());
  const state = usState(read('state')) ?? map.state;
  const license = read('license');
  if (license !== '' && state !== undefined) fact('license', licenseKey(state, license));
}

function addDetails(read: Read, { fact }: FactAdder): void {
  fact('description', read('description'));
  const naics = read('naics');
  if (/^\d{2,6}$/.test(naics)) fact('industry', { naics, title: read('industry') });
  const employees = numberOf(read('employees'));
  if (employees !== undefined && employees >= 1)
    fact('employees', { least: employees, most: employees });
  fact('revenue', numberOf(read('revenue')));
}

function numberOf(text: string): number | undefined {
  const digits = text.replace(/[,$ ]/g, '');
  return /^\d{1,15}(\.\d{1,4})?$/.test(digits) ? Number(digits) : undefined;
}

function firstCell(row: ImportRow, columns: string | readonly string[] | undefined): string {
  if (columns === undefined) return '';
  for (const name of typeof columns === 'string' ? [columns] : columns) {
    const cell = cellOf(row, name);
    if (cell !== '') return cell;
  }
  return '';
}

/** A column of that name, or the value at that path. */
function cellOf(row: ImportRow, name: string): string {
  const value = Object.hasOwn(row, name) ? row[name] : valueAt(row, name.split('.'));
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

function valueAt(row: ImportRow, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Readonly<Record<string, unknown>>)[key]
        : undefined,
    row,
  );
}
