import { isItem, type JsonLdItem, readOwnListing } from '@app/content';
import type { SurveyedPage } from '../page/page-survey.js';
import type { CompanyPlace, EmployeeRange } from './company-place.js';

/** No company has more. */
const MAX_EMPLOYEES = 10_000_000;

/** The place of the company, from its homepage or contact page, and the employees that JSON-LD states. */
export function readPlace({ page, nodes }: SurveyedPage): CompanyPlace {
  const { address: street, city, state, zip, country } = readOwnListing(page) ?? {};
  const employees = nodes
    .filter(({ path }) => path.every((step) => step !== 'department' && step !== 'subOrganization'))
    .map(({ item }) => employeesOf(item))
    .find((range) => range !== undefined);
  return {
    ...(street === undefined ? {} : { street }),
    ...(city === undefined ? {} : { city }),
    ...(state === undefined ? {} : { state }),
    ...(zip === undefined ? {} : { zip }),
    ...(country === undefined ? {} : { country }),
    ...(employees === undefined ? {} : { employees }),
  };
}

/** A number, a text such as `11-50`, or a QuantitativeValue (schema.org). */
function employeesOf({ numberOfEmployees: stated }: JsonLdItem): EmployeeRange | undefined {
  const value = Array.isArray(stated) ? (stated as readonly unknown[])[0] : stated;
  if (!isItem(value)) return rangeOf(value);
  const { minValue, maxValue } = value;
  if (minValue === undefined && maxValue === undefined) return rangeOf(value.value);
  return checked(numberOf(minValue) ?? 1, numberOf(maxValue));
}

function rangeOf(value: unknown): EmployeeRange | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  const match = /^\s{0,5}([\d,. ]{1,12})\s{0,5}(?:([-–+])\s{0,5}([\d,. ]{1,12})?)?\s{0,5}$/.exec(
    text.slice(0, 50),
  );
  const least = numberOf(match?.[1]);
  if (match === null || least === undefined) return undefined;
  if (match[2] === '+') return checked(least, undefined);
  return checked(least, numberOf(match[3]) ?? least);
}

function checked(least: number, most: number | undefined): EmployeeRange | undefined {
  const isPlausible = least >= 1 && (most ?? least) >= least && (most ?? least) <= MAX_EMPLOYEES;
  return isPlausible ? { least, ...(most === undefined ? {} : { most }) } : undefined;
}

function numberOf(value: unknown): number | undefined {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  const digits = text.replace(/[,. ](?=\d{3}(?:\D|$))/g, '').trim();
  return /^\d{1,8}$/.test(digits) ? Number(digits) : undefined;
}
