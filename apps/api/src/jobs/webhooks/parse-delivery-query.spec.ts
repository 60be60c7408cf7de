import { newId, ApiError } from '@app/contracts';
import { parseDeliveryQuery } from './parse-delivery-query.js';

describe('the query of the delivery log', () => {
  it('has defaults', () => {
    expect(parseDeliveryQuery({})).toEqual({ jobId: null, state: null, before: null, most: 20 });
  });

  it('is taken', () => {
    const [jobId, cursor] = [newId(), newId()];
    expect(parseDeliveryQuery({ jobId, state: 'failed', cursor, limit: '100' })).toEqual({
      jobId,
      state: 'failed',
      before: cursor,
      most: 100,
    });
  });

  it.each([
    [{ limit: '0' }, '`limit` must be a whole number from 1 to 100'],
    [{ limit: '101' }, '`limit` must be a whole number from 1 to 100'],
    [{ limit: '1.5' }, '`limit` must be a whole number from 1 to 100'],
    [{ limit: ['1', '2'] }, '`limit` must be a whole number from 1 to 100'],
    [{ state: 'lost' }, '`state` must be one of pending, delivered, failed, disabled'],
    [{ state: ['failed'] }, '`state` must be one of pending, delivered, failed, disabled'],
    [{ jobId: 'x' }, '`jobId` must be an id'],
    [{ cursor: "'; DROP" }, '`cursor` must be the `next` of a previous page'],
  ])('refuses %j', (query, message) => {
    expect(() => parseDeliveryQuery(query)).toThrow(
      new ApiError('invalid_request', { problem: message }),
    );
  });
});
