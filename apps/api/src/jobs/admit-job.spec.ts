import { ApiError } from '@app/contracts';
import { notStarted } from './admit-job.js';

describe('a job that the database did not take', () => {
  const thrownBy = (cause: unknown): unknown => {
    try {
      return notStarted('crawl_unavailable')(cause);
    } catch (error) {
      return error;
    }
  };

  it('was not started, if the database cannot be reached', () => {
    const lost = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    expect(thrownBy(lost)).toMatchObject({ code: 'crawl_unavailable', cause: lost });
  });

  it('is a fault of ours, if the database refuses a value of it', () => {
    const refused = Object.assign(new Error('unsupported Unicode escape'), { code: '22P05' });
    expect(thrownBy(refused)).toBe(refused);
    expect(thrownBy(refused)).not.toBeInstanceOf(ApiError);
  });
});
