import { numberFormat, cellNumber } from './number-format.js';

describe('cellNumber', () => {
  it.each<[number, string | undefined, number, string]>([
    // Formats of Excel's own.
    [0, undefined, 1_234.5, '1234.5'],
    [4, undefined, 1_234.567_8, '1234.5678'],
    [9, undefined, 0.5, '50%'],
    [14, undefined, 1, '1900-01-01'],
    [14, undefined, 59, '1900-02-28'],
    [14, undefined, 61, '1900-03-01'],
    [14, undefined, 45_352, '2024-03-01'],
    [14, undefined, 45_352.75, '2024-03-01'],
    [22, undefined, 45_352.75, '2024-03-01 18:00'],
    [20, undefined, 0.75, '18:00'],
    [21, undefined, 0.750_011_574_1, '18:00:01'],
    [46, undefined, 1.5, '36:00:00'],
    // Out of the calendar.
    [14, undefined, -1, '-1'],
    [14, undefined, 2_958_466, '2958466'],
    // Formats of the file.
    [164, 'yyyy\\-mm\\-dd', 45_352, '2024-03-01'],
    [164, '[$-407]d. mmmm yyyy', 45_352, '2024-03-01'],
    [164, 'dd/mm/yy hh:mm', 45_352.5, '2024-03-01 12:00'],
    [164, 'h:mm AM/PM', 0.5, '12:00'],
    [164, 'mmm yy', 45_352, '2024-03-01'],
    [164, '[h]:mm', 2.25, '54:00:00'],
    [164, '0.00%', 0.123_45, '12.35%'],
    [164, '0.000%', 0.123_45, '12.345%'],
    [164, '"day" 0', 3, '3'],
    [164, '0 "h"', 3, '3'],
    [164, '[Red]General', 3, '3'],
    [164, '_-* #,##0.00\\ _d_-', 3.5, '3.5'],
    [164, '00000', 815, '00815'],
    [164, '00000', 0.5, '0.5'],
    [164, '#,##0;[Red]-#,##0', -3, '-3'],
    [164, '', 3, '3'],
  ])('format %d %j of %d is %s', (id, code, value, text) => {
    expect(cellNumber(value, numberFormat(id, code), false)).toBe(text);
  });

  it('counts days from 1904 where a workbook says so', () => {
    expect(cellNumber(0, numberFormat(14, undefined), true)).toBe('1904-01-01');
  });
});
