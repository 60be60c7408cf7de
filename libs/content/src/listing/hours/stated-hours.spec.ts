import { readStatedHours } from './stated-hours.js';

const every = (range: string) =>
  Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, range]));
const weekdays = (range: string) =>
  Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => [day, range]));

describe('stated opening hours', () => {
  it.each<[string, Record<string, string>]>([
    ['24/7', every('00:00-24:00')],
    ['Mo-Fr 09:00-18:00', weekdays('09:00-18:00')],
    [
      'Mo-Fr 09:00-18:00; Sa 10:00-14:00; Su off',
      { ...weekdays('09:00-18:00'), sat: '10:00-14:00', sun: 'closed' },
    ],
    ['Mo-Fr 08:00-12:00,13:00-17:00', weekdays('08:00-12:00, 13:00-17:00')],
    ['Mo-Su 11:00-02:00', every('11:00-02:00')],
    ['Mo,We 10:00-12:00', { mon: '10:00-12:00', wed: '10:00-12:00' }],
    ['Tu-Th 10:00-20:00', { tue: '10:00-20:00', wed: '10:00-20:00', thu: '10:00-20:00' }],
    ['Mon-Fri 9am-5pm', weekdays('09:00-17:00')],
    ['08:00-20:00', every('08:00-20:00')],
    ['Mo-Fr 09:00-18:00; PH off', weekdays('09:00-18:00')],
  ])('%s', (text, week) => {
    expect(readStatedHours(text)).toEqual(week);
  });

  it.each([
    '',
    'Mo-Fr 09:00-18:00; PH 10:00-12:00',
    'Apr-Oct: Mo-Su 10:00-18:00',
    'week 1-53/2 Mo 10:00-12:00',
    'Mo-Fr sunrise-sunset',
    'Mo-Fr 09:00+',
    'Mo[1] 10:00-12:00',
    '"by appointment"',
    'Mo-Fr 08:00-12:00; We 14:00-16:00',
    'call us',
    'x'.repeat(10_000),
  ])('of %j says nothing rather than something wrong', (text) => {
    expect(readStatedHours(text)).toBeUndefined();
  });
});
