import { isId, newId } from './ids.js';
import { increasingIds } from './increasing-ids.js';

const id = (time: number, group: string): string =>
  `01a20b2f-75f${time}-7000-8000-${group.padStart(12, '0')}`;

function idsFrom(...drawn: string[]): string[] {
  const next = increasingIds(() => drawn.shift() as string);
  const ids: string[] = [];
  while (drawn.length > 0) ids.push(next());
  return ids;
}

describe('increasing ids', () => {
  it('are the drawn ones while these increase', () => {
    const drawn = [id(1, '5'), id(1, '6'), id(2, '0')];
    expect(idsFrom(...drawn)).toEqual(drawn);
  });

  it.each([
    ['within a millisecond', id(1, '5')],
    ['after the clock was set back', id(0, 'f')],
    ['when one is drawn twice', id(1, '6')],
  ])('sort by creation %s', (_when, late) => {
    const [, second = '', third = ''] = idsFrom(id(1, '6'), late, late);
    expect(isId(second)).toBe(true);
    expect([id(1, '6') < second, second < third, third < id(2, '0')]).toEqual([true, true, true]);
  });

  it('wait for the next millisecond when the last group is full', () => {
    const full = id(1, 'f'.repeat(12));
    expect(idsFrom(full, id(1, '5'), id(2, '0'))).toEqual([full, id(2, '0')]);
  });

  it('are UUIDs of version 7, many of them in a millisecond', () => {
    const ids = Array.from({ length: 20_000 }, newId);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    for (const one of ids) expect(one).toMatch(/^.{14}7.{4}[89ab]/);
  });
});
