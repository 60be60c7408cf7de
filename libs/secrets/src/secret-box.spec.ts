import { openSealed, parseSealingKeys, SealBrokenError, sealBytes } from './secret-box.js';

const base64 = (byte: number, encoding: 'base64' | 'base64url' = 'base64') =>
  Buffer.alloc(32, byte).toString(encoding);

describe('a sealed box', () => {
  const [key] = parseSealingKeys(base64(7));
  if (!key) throw new Error('no key');

  it('opens with its key at its place, and nowhere else', () => {
    const box = sealBytes('here', Buffer.from('secret'), key);
    expect(box.includes('secret')).toBe(false);
    expect(openSealed('here', box, key).toString()).toBe('secret');
    const [other] = parseSealingKeys(base64(8));
    const changed = Buffer.from(box);
    changed[15] = (changed[15] ?? 0) ^ 1;
    for (const open of [
      () => openSealed('there', box, key),
      () => openSealed('here', box, other ?? key),
      () => openSealed('here', changed, key),
      () => openSealed('here', box.subarray(0, 20), key),
    ])
      expect(open).toThrow(SealBrokenError);
  });
});

describe('sealing keys of a setting', () => {
  it('are read in their order, each with an id that tells nothing of it', () => {
    const keys = parseSealingKeys(` ${base64(251)}, ${base64(251, 'base64url')},${base64(2)} `);
    expect(keys.map(({ secret }) => secret[0])).toEqual([251, 251, 2]);
    expect(keys[0]?.id).toBe(keys[1]?.id);
    expect(keys[2]?.id).toMatch(/^[0-9a-f]{16}$/);
    expect(parseSealingKeys('')).toEqual([]);
  });

  it.each(['CANARY', `${base64(1)}AA`, Buffer.alloc(31).toString('base64'), `${base64(1)};x`])(
    'are refused without being quoted: %s',
    (text) => {
      expect(() => parseSealingKeys(text)).toThrow('32 bytes in base64');
      expect(() => parseSealingKeys(text)).not.toThrow(text);
    },
  );

  it('are eight at most', () => {
    expect(parseSealingKeys(Array(8).fill(base64(1)).join())).toHaveLength(8);
    expect(() => parseSealingKeys(Array(9).fill(base64(1)).join())).toThrow('at most 8');
  });
});
