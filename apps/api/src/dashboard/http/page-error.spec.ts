import { ApiError } from '@app/contracts';
import { DatabaseUnavailableError } from '@app/database';
import { ForeignFormError, shownError } from './page-error.js';

describe('the error shown to a user', () => {
  it.each([
    [new ApiError('job_not_found'), 404, 'Job not found'],
    [new ApiError('results_expired'), 410, /expired/],
    [new ForeignFormError(), 403, /Nothing was done/],
    [new DatabaseUnavailableError(), 503, /database is unavailable/],
    [{ statusCode: 413 }, 413, /too large/],
    [{ statusCode: 415 }, 415, /not a form of this page/],
  ])('%s', (error, status, text) => {
    const shown = shownError(error);
    expect(shown).toMatchObject({ status, isFault: false });
    expect(shown.text).toMatch(text);
  });

  it.each([new Error('secret: /etc/passwd'), null, 'secret', { statusCode: 500 }])(
    'hides the details of an internal error: %s',
    (error) => {
      expect(shownError(error)).toEqual({
        status: 500,
        text: 'Internal error. Try again, or contact the operator.',
        isFault: true,
      });
    },
  );
});
