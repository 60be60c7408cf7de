import { EVERY_DAY, parseHours } from './parse-hours.js';
import { Week } from './week.js';

/** What a text alone says, as a result would have it. */
function hoursOf(text: string, language = 'en') {
  const { groups, isAlways } = parseHours(text, language);
  const week = new Week();
  const said = isAlways && groups.length === 0 ? [EVERY_DAY] : groups;
  for (const { days, ranges } of said)
    for (const day of days) for (const range of ranges) week.add(day, range);
  return week.finish();
}

const days = (names: string, hours: string): Record<string, string> =>
  Object.fromEntries(names.split(' ').map((name) => [name, hours]));

const WEEKDAYS = 'mon tue wed thu fri';
const ALL = `${WEEKDAYS} sat sun`;

describe('parseHours', () => {
  it.each([
    ['Mon-Fri 9am-5pm', days(WEEKDAYS, '09:00-17:00')],
    ['Monday – Friday: 9:00 AM to 5:30 PM', days(WEEKDAYS, '09:00-17:30')],
    ['Mon. – Fri. 8 a.m. – 6 p.m.', days(WEEKDAYS, '08:00-18:00')],
    ['Monday through Friday, 8:30 a.m. until 5 p.m.', days(WEEKDAYS, '08:30-17:00')],
    ['M-F 8-5', days(WEEKDAYS, '08:00-17:00')],
    ['M–Th 7:30a–4p', days('mon tue wed thu', '07:30-16:00')],
    ['Weekdays 09:00–17:00', days(WEEKDAYS, '09:00-17:00')],
    ['Weekends 10am to 3pm', days('sat sun', '10:00-15:00')],
    ['Open daily 6:30a – 3p', days(ALL, '06:30-15:00')],
    ['7 days a week, 8AM-8PM', days(ALL, '08:00-20:00')],
    ['24/7', days(ALL, '00:00-24:00')],
    ['Sat: 24 hours', { sat: '00:00-24:00' }],
    ['Saturday noon to midnight', { sat: '12:00-24:00' }],
    ['Fri 12 noon - 12 midnight', { fri: '12:00-24:00' }],
    ['Fri & Sat 5pm-2am', days('fri sat', '17:00-02:00')],
    ['Sat, Sun: Closed', days('sat sun', 'closed')],
    ['closed Sun & Mon', days('mon sun', 'closed')],
    ['Tue, Wed, Fri 10-6', days('tue wed fri', '10:00-18:00')],
    ['Wed 11-2', { wed: '11:00-14:00' }],
    ['Thu 5-9', { thu: '17:00-21:00' }],
    ['Thu 5-9pm', { thu: '17:00-21:00' }],
    ['Thu 10-2pm', { thu: '10:00-14:00' }],
    ['Mon 8:00–12:00 & 13:00–17:30', { mon: '08:00-12:00, 13:00-17:30' }],
    ['Tue 11:00–2:30, 5:00–9:00 PM', { tue: '11:00-14:30, 17:00-21:00' }],
    ['Mon\t9:00 AM\t5:00 PM', { mon: '09:00-17:00' }],
    ['Sat-Mon 10am-4pm', days('mon sat sun', '10:00-16:00')],
    ['6:30 a.m. to 6:00 p.m., Monday - Friday', days(WEEKDAYS, '06:30-18:00')],
    ['9am-5pm Mon-Fri, 9am-noon Sat', { ...days(WEEKDAYS, '09:00-17:00'), sat: '09:00-12:00' }],
    ['Sunday Closed. 24 hour emergency service.', { sun: 'closed' }],
    [
      'Sun 12:30–6 PM · Mon–Thu 12:30–6:30 PM · Fri 12:30–6 PM · Sat Closed',
      {
        ...days('mon tue wed thu', '12:30-18:30'),
        fri: '12:30-18:00',
        sat: 'closed',
        sun: '12:30-18:00',
      },
    ],
    [
      'Mon–Sat, 10:00 AM–1:30 PM & 5:00–9:00 PM',
      days(`${WEEKDAYS} sat`, '10:00-13:30, 17:00-21:00'),
    ],
    ['Sunday-Fri: 9 AM - 6 PM', days(`${WEEKDAYS} sun`, '09:00-18:00')],
    ['Mon - Thurs: 11:00 AM - 10:00 PM', days('mon tue wed thu', '11:00-22:00')],
    ['Monday : 7:00am - 10:30pm', { mon: '07:00-22:30' }],
    ['Wednesday - Saturday: 12:00 - 23:00', days('wed thu fri sat', '12:00-23:00')],
    ['Friday 11:30 - 9:00', { fri: '11:30-21:00' }],
    ['Sun & Poya Day: Closed', { sun: 'closed' }],
    [
      'Mon-Fri: 9:00 AM - 6:00 PM PST, Sat: 10-2',
      { ...days(WEEKDAYS, '09:00-18:00'), sat: '10:00-14:00' },
    ],
    [
      'Monday 8am-8pm | Tuesday 8am-6pm | Wednesday - Friday 8am-5pm',
      { mon: '08:00-20:00', tue: '08:00-18:00', ...days('wed thu fri', '08:00-17:00') },
    ],
    ['Mon, Wed & Fri: 8:00a-12:00p, 2:00p-6:00p', days('mon wed fri', '08:00-12:00, 14:00-18:00')],
    ['Open 7 days: 6am to 10pm', days(ALL, '06:00-22:00')],
    ['Monday to Sunday from 8am', undefined],
    ['Mon-Fri 0800-1700', days(WEEKDAYS, '08:00-17:00')],
    ['Mon–Fri, 9 to 5; Sat, 9 to noon', { ...days(WEEKDAYS, '09:00-17:00'), sat: '09:00-12:00' }],
    ['Mon 9:00 AM - 12:00 AM', { mon: '09:00-24:00' }],
    ['Thursday: 4 PM - Close', undefined],
    ['Every Tuesday 10am - 2pm', { tue: '10:00-14:00' }],
    ['Sat 9 to 5 by appointment', { sat: '09:00-17:00' }],
    ['Sun by appointment only', undefined],
    ['Call 555-123-4567 Monday', undefined],
    ['Sun $9.99-$12.99', undefined],
    ['We open on 3/14/2024', undefined],
  ])('reads %s', (text, expected) => {
    expect(hoursOf(text)).toEqual(expected);
  });

  it.each([
    ['Mo – Fr 06:00 – 18:30 Uhr', 'de', days(WEEKDAYS, '06:00-18:30')],
    [
      'Di-So 11.30-14.30 und 17.30-22.00 Uhr',
      'de',
      days('tue wed thu fri sat sun', '11:30-14:30, 17:30-22:00'),
    ],
    ['Montag Ruhetag', 'de', { mon: 'closed' }],
    ['Mardi au jeudi : 7h – 19h', 'fr', days('tue wed thu', '07:00-19:00')],
    ['Lunes a viernes 9:00 a 14:00', 'es', days(WEEKDAYS, '09:00-14:00')],
    ['lun-ven 9.00-18.00', 'it', days(WEEKDAYS, '09:00-18:00')],
  ])('reads %s in a page in %s', (text, language, expected) => {
    expect(hoursOf(text, language)).toEqual(expected);
  });

  it('does not read words of one language as days of another', () => {
    expect(hoursOf('so we do 9:00-17:00', 'en')).toBeUndefined();
  });
});
