import type { CompanyPlace } from './company-place.js';

/** The most complete place over the pages of a site, the first of equal ones; its parts come from one page. */
export function joinPlaces(places: readonly CompanyPlace[]): CompanyPlace {
  const partsOf = ({ street, city, state, zip, country }: CompanyPlace): number =>
    [street, city, state, zip, country].filter((part) => part !== undefined).length;
  const best = places.reduce<CompanyPlace>(
    (most, place) => (partsOf(place) > partsOf(most) ? place : most),
    {},
  );
  const employees = places.find((place) => place.employees !== undefined)?.employees;
  return { ...best, ...(employees === undefined ? {} : { employees }) };
}
