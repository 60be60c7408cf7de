import { isId, newId } from '@app/contracts';
import { itemId } from './item-id.js';

describe('the id of one URL within a call', () => {
  const chargeId = newId();

  it('is a UUIDv8, the same at every attempt', () => {
    const ids = Array.from({ length: 100 }, (_, n) => itemId(chargeId, `https://a.example/${n}`));
    for (const [n, id] of ids.entries()) {
      expect(isId(id)).toBe(true);
      expect(id).toMatch(/^.{14}8.{4}[89ab]/);
      expect(itemId(chargeId, `https://a.example/${n}`)).toBe(id);
    }
    expect(new Set(ids).size).toBe(100);
  });

  it('differs between calls', () => {
    expect(itemId(newId(), 'https://a.example/')).not.toBe(itemId(chargeId, 'https://a.example/'));
  });
});
