import { LIBRARIES, NOT_OF_PAGES, READERS, type Library } from './text-readers.js';

const names = Object.keys(READERS) as Library[];
const isFunction = (value: unknown): boolean =>
  typeof value === 'function' && !/^class\b/.test(Function.prototype.toString.call(value));

/** Measured by `text-readers.growth.ts`, part of `npm run test:full`. */
describe.each(names)('functions of %s that read text of strangers', (library) => {
  it('are all in the table of those whose time is measured', () => {
    const exported = Object.entries(LIBRARIES[library]).filter(([, value]) => isFunction(value));
    const known = [...Object.keys(READERS[library]), ...NOT_OF_PAGES[library]];
    expect(exported.map(([name]) => name).toSorted()).toEqual(known.toSorted());
  });
});
