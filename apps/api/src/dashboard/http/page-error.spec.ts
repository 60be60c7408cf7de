import { ApiError } from '@app/contracts';
import { StoreUnavailableError } from '@app/database';
import { NotOurForm, toldError } from './page-error.js';

describe('what a person is told of an error', () => {
  it.each([
    [new ApiError('job_not_found'), 404, 'Job not found'],
    [new ApiError('results_expired'), 410, /expired/],
    [new NotOurForm(), 403, /Nothing was done/],
    [new StoreUnavailableError(), 503, /database does not answer/],
    [{ statusCode: 413 }, 413, /larger than any form/],
    [{ statusCode: 415 }, 415, /no form of this page/],
  ])('%s', (error, status, text) => {
    const told = toldError(error);
    expect(told).toMatchObject({ status, isFault: false });
    expect(told.text).toMatch(text);
  });

  it.each([new Error('secret: /etc/passwd'), null, 'secret', { statusCode: 500 }])(
    'nothing of a fault of ours: %s',
    (error) => {
      expect(toldError(error)).toEqual({
        status: 500,
        text: 'Something went wrong on our side.',
        isFault: true,
      });
    },
  );
});
