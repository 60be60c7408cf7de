import { TrawlError } from '@app/client';
import { CliError, describeError } from './cli-error.js';
import { EXIT } from './exit-codes.js';

describe('the line of an error', () => {
  it.each<[string, unknown, string, number]>([
    ['of the user', new CliError('no key', 'Run login'), 'no key. Run login.', EXIT.usage],
    [
      'of the service',
      new TrawlError('Job not found', {
        ...{ code: 'job_not_found', status: 404, hint: 'Use an id.', requestId: 'r1' },
      }),
      'Job not found. Use an id. [job_not_found, HTTP 404, request r1]',
      EXIT.failed,
    ],
    [
      'of a service that is busy',
      new TrawlError('Busy!', { code: 'rate_limited', status: 429, retryable: true }),
      'Busy! [rate_limited, HTTP 429]',
      EXIT.unavailable,
    ],
    [
      'with line breaks',
      new TrawlError('a\nb\r\nc', { code: 'network' }),
      'a b c. [network]',
      EXIT.failed,
    ],
    [
      'of the system',
      Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' }),
      'ENOSPC: no space left.',
      EXIT.failed,
    ],
    ['of the program', new Error('oops'), 'unexpected error: oops.', EXIT.failed],
    ['of nothing known', 'text', 'unexpected error: text.', EXIT.failed],
  ])('%s has the fix and the exit code', (_, error, line, exitCode) => {
    expect(describeError(error)).toEqual({ line, exitCode });
  });
});
