import { inPictureTurn, isTakingPicture } from './picture-turns.js';

describe('inPictureTurn', () => {
  it('takes the pictures of a browser one after the other, also after one that failed', async () => {
    const browser = {};
    const events: string[] = [];
    const take = (name: string, fails: boolean) => async () => {
      events.push(`${name} begins`);
      await Promise.resolve();
      events.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
    const first = inPictureTurn(browser, take('a', true));
    const second = inPictureTurn(browser, take('b', false));
    expect(isTakingPicture(browser)).toBe(true);
    await expect(first).rejects.toThrow('a');
    await expect(second).resolves.toBe('b');
    expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
    await inPictureTurn({}, () => Promise.resolve());
    expect(isTakingPicture(browser)).toBe(false);
  });
});
