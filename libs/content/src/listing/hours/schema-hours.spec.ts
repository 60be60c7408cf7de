import { isItem } from '../../json-ld/json-ld-item.js';
import { JsonThing } from '../json-ld/json-ld-things.js';
import { readSchemaHours } from './schema-hours.js';

const hoursOf = (facts: unknown) =>
  isItem(facts) ? readSchemaHours(new JsonThing(facts, '$', new Map()))?.value : undefined;

const specified = (...specifications: readonly unknown[]) => ({
  openingHoursSpecification: specifications,
});

describe('readSchemaHours', () => {
  it.each<readonly [string, unknown, unknown]>([
    [
      'a specification',
      specified({ dayOfWeek: 'Monday', opens: '09:00', closes: '17:00' }),
      { mon: '09:00-17:00' },
    ],
    [
      'days with their address, and seconds',
      specified({
        dayOfWeek: ['http://schema.org/Tuesday'],
        opens: '09:00:00',
        closes: '17:30:00',
      }),
      { tue: '09:00-17:30' },
    ],
    [
      'a range of days as text',
      specified({ dayOfWeek: 'Monday-Wednesday', opens: '9:00', closes: '17:00' }),
      { mon: '09:00-17:00', tue: '09:00-17:00', wed: '09:00-17:00' },
    ],
    ['numbers', specified({ dayOfWeek: 'Fri', opens: 800, closes: 1830 }), { fri: '08:00-18:30' }],
    [
      'halves of the day',
      specified({ dayOfWeek: 'Sat', opens: '8:30 AM', closes: '1 PM' }),
      { sat: '08:30-13:00' },
    ],
    [
      'midnight to midnight as closed',
      specified({ dayOfWeek: 'Sunday', opens: '00:00', closes: '00:00' }),
      { sun: 'closed' },
    ],
    ['no times as closed', specified({ dayOfWeek: 'Sunday' }), { sun: 'closed' }],
    [
      'the whole day',
      specified({ dayOfWeek: 'Sunday', opens: '00:00', closes: '23:59' }),
      { sun: '00:00-24:00' },
    ],
    [
      'the night',
      specified({ dayOfWeek: 'Friday', opens: '18:00', closes: '02:00' }),
      { fri: '18:00-02:00' },
    ],
    [
      'several of one day',
      specified(
        { dayOfWeek: 'Monday', opens: '17:00', closes: '22:00' },
        { dayOfWeek: 'Monday', opens: '11:00', closes: '14:00' },
      ),
      { mon: '11:00-14:00, 17:00-22:00' },
    ],
    [
      'exceptions behind the week',
      {
        specialOpeningHoursSpecification: [
          { validFrom: '2026-12-24', validThrough: '2026-12-26' },
          { validFrom: '2026-07-04', opens: '10:00', closes: '14:00' },
        ],
        openingHours: 'Su 10:00-12:00',
      },
      { sun: '10:00-12:00', '2026-07-04': '10:00-14:00', '2026-12-24/2026-12-26': 'closed' },
    ],
    [
      'texts in a list',
      { openingHours: ['Mo-We 09:00-17:00', 'Th closed'] },
      { mon: '09:00-17:00', tue: '09:00-17:00', wed: '09:00-17:00', thu: 'closed' },
    ],
    ['days without times as all day', { openingHours: 'Sa' }, { sat: '00:00-24:00' }],
    ['nothing in empty text', { openingHours: '' }, undefined],
    [
      'nothing in nonsense',
      specified({ dayOfWeek: 'Someday', opens: '99:00', closes: 'x' }, 3, null),
      undefined,
    ],
  ])('reads %s', (_, facts, expected) => {
    expect(hoursOf(facts)).toEqual(expected);
  });
});
