import { type OpeningHours } from '@app/contracts';
import { type Found } from '../listing-values.js';
import { bareName, textsOf, type Thing, thingsOf } from '../thing.js';
import { readTime, spellRange } from './clock.js';
import { dayNamed } from './day-names.js';
import { EVERY_DAY, parseHours } from './parse-hours.js';
import { ALL_DAY, CLOSED, Week } from './week.js';

const MAX_SPECIFICATIONS = 200;
const DATE = /^(\d{4}-\d{2}-\d{2})/;

/** Opening hours of a schema.org thing: its specifications, else its text, with exceptions. */
export function readSchemaHours(thing: Thing): Found<OpeningHours> | undefined {
  const week = new Week();
  const path = fromSpecifications(thing, week) ?? fromTexts(thing, week);
  const exceptions = addSpecifications(thing, 'specialOpeningHoursSpecification', week);
  const hours = week.finish();
  const origin = path ?? exceptions;
  return hours === undefined || origin === undefined ? undefined : { value: hours, path: origin };
}

const fromSpecifications = (thing: Thing, week: Week): string | undefined =>
  addSpecifications(thing, 'openingHoursSpecification', week) ??
  addSpecifications(thing, 'openingHours', week) ??
  addSpecifications(thing, 'hoursAvailable', week);

/** Adds what the property says and answers where it was found, if it said anything. */
function addSpecifications(thing: Thing, property: string, week: Week): string | undefined {
  const specifications = thingsOf(thing, property).slice(0, MAX_SPECIFICATIONS);
  const before = week.size;
  for (const specification of specifications) addSpecification(specification, week);
  return week.size > before ? specifications[0]?.path : undefined;
}

function addSpecification(specification: Thing, week: Week): void {
  const range = rangeOf(specification);
  if (range === undefined) return;
  for (const key of keysOf(specification)) week.add(key, range);
}

/** `opens` equal to `closes` at midnight, or no times at all, means closed (schema.org, Google). */
function rangeOf(specification: Thing): string | undefined {
  const opens = textsOf(specification, 'opens')[0]?.text.trim() ?? '';
  const closes = textsOf(specification, 'closes')[0]?.text.trim() ?? '';
  if ((opens === '' && closes === '') || /^closed$/i.test(opens)) return CLOSED;
  const start = readTime(bareTime(opens))?.time;
  const end = readTime(bareTime(closes))?.time;
  if (start === undefined || end === undefined) return undefined;
  if (opens === closes) return opens.startsWith('00:00') ? CLOSED : undefined;
  const in24h = start.half === undefined && end.half === undefined;
  return spellRange({ ...start, is24h: in24h }, { ...end, is24h: in24h });
}

/** `2026-05-01T09:00` and the numbers `900` and `0900` are the time alone. */
const bareTime = (text: string): string =>
  text.replace(/^\d{4}-\d{2}-\d{2}T/, '').replace(/^(\d{1,2})(\d{2})$/, '$1:$2');

/** Days of the week, or dates when there are no days; public holidays are left out. */
function keysOf(specification: Thing): readonly string[] {
  const days = textsOf(specification, 'dayOfWeek').flatMap(({ text }) => daysOf(text));
  const named = thingsOf(specification, 'dayOfWeek').flatMap((day) =>
    textsOf(day, 'name', '@id').flatMap(({ text }) => daysOf(text)),
  );
  if (days.length + named.length > 0) return [...days, ...named];
  const from = DATE.exec(textsOf(specification, 'validFrom')[0]?.text ?? '')?.[1];
  if (from === undefined) return [];
  const through = DATE.exec(textsOf(specification, 'validThrough')[0]?.text ?? '')?.[1] ?? from;
  return [from === through ? from : `${from}/${through}`];
}

function daysOf(text: string): readonly string[] {
  const single = dayNamed(bareName(text).toLowerCase(), 'schema');
  if (single !== undefined) return [single];
  return parseHours(text, 'schema').groups.flatMap(({ days }) => days);
}

/** `Mo-Fr 09:00-17:00`, several in one text or in a list; days without times mean all day. */
function fromTexts(thing: Thing, week: Week): string | undefined {
  const texts = textsOf(thing, 'openingHours');
  const before = week.size;
  for (const { text } of texts.slice(0, MAX_SPECIFICATIONS)) addText(text, week);
  return week.size > before ? texts[0]?.path : undefined;
}

function addText(text: string, week: Week): void {
  const { groups, isAlways } = parseHours(schemaSpelling(text), 'schema');
  const said = groups.length === 0 && isAlways ? [EVERY_DAY] : groups;
  for (const { days, ranges } of said) {
    const meant = ranges.length > 0 ? ranges : [ALL_DAY];
    for (const day of days) for (const range of meant) week.add(day, range);
  }
}

/** Site builders write `Mo 00:00-00:00` for a closed day. */
const schemaSpelling = (text: string): string =>
  text.replace(/\b00:00(?::00)?\s?-\s?00:00(?::00)?\b/g, CLOSED).replace(/(\d:\d\d):\d\d/g, '$1');
