import { ApiError } from '@app/contracts';
import { StreamSlots } from './stream-slots.js';

const BOUNDS = {
  perTenant: 2,
  perProcess: 3,
  tooMany: 'too_many_answers',
  unavailable: 'answers_unavailable',
} as const;

describe('stream slots', () => {
  const apiErrorOf = (take: () => unknown): unknown => {
    try {
      take();
      return 'taken';
    } catch (error) {
      return error instanceof ApiError ? [error.code, error.row.status] : error;
    }
  };

  it('are limited per tenant, and releasing one twice frees it once', () => {
    const slots = new StreamSlots(BOUNDS);
    const [first] = [slots.take('a'), slots.take('a')];
    expect(apiErrorOf(() => slots.take('a'))).toEqual(['too_many_answers', 429]);
    expect(apiErrorOf(() => slots.take('b'))).toBe('taken');
    first();
    first();
    expect(apiErrorOf(() => slots.take('a'))).toBe('taken');
    expect(apiErrorOf(() => slots.take('a'))).toEqual(['too_many_answers', 429]);
  });

  it('are limited in total', () => {
    const places = new StreamSlots(BOUNDS);
    const releases = ['a', 'b', 'c'].map((tenant) => places.take(tenant));
    expect(apiErrorOf(() => places.take('d'))).toEqual(['answers_unavailable', 503]);
    for (const release of releases) release();
    expect(apiErrorOf(() => places.take('d'))).toBe('taken');
  });
});
