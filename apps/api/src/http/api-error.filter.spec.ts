import type { ArgumentsHost } from '@nestjs/common';
import { API_ERRORS, ApiError, type ApiErrorCode } from '@app/contracts';
import { createLogger, Metrics } from '@app/telemetry';
import { ApiErrorFilter } from './api-error.filter.js';

const filter = new ApiErrorFilter(
  createLogger({ component: 'spec', level: 'silent' }),
  new Metrics(),
);

/** The headers of the response to an error. */
function answerTo(apiError: ApiError) {
  const answer = { status: 0, headers: {} as Record<string, unknown>, body: {} };
  const reply = {
    header: (name: string, value: unknown) => Object.assign(answer.headers, { [name]: value }),
    status: (status: number) => {
      answer.status = status;
      return reply;
    },
    send: (body: object) => Object.assign(answer, { body }),
  };
  const http = {
    getRequest: () => ({ id: 'r', url: '/v1/scrape', headers: {} }),
    getResponse: () => reply,
  };
  filter.catch(apiError, { switchToHttp: () => http } as unknown as ArgumentsHost);
  return answer;
}

describe('Retry-After of an error', () => {
  const codes = Object.keys(API_ERRORS) as ApiErrorCode[];

  it('is present only when waiting may help', () => {
    for (const code of codes) {
      const row: ApiError['row'] = API_ERRORS[code];
      const { headers } = answerTo(new ApiError(code));
      const isExpected = row.status === 429 || (row.status === 503 && row.isPermanent !== true);
      expect([code, 'retry-after' in headers]).toEqual([code, isExpected]);
    }
  });

  it('is absent when something must be configured first', () => {
    const needsSetting = codes.filter((code) => API_ERRORS[code].text.includes('{settings}'));
    expect(needsSetting).toEqual(['billing_unavailable', 'llm_unavailable']);
    for (const code of needsSetting)
      expect(answerTo(new ApiError(code)).headers).not.toHaveProperty('retry-after');
  });

  it.each(['browser_unavailable', 'screenshot_unavailable'] as const)(
    'of %s is present unless no browser is configured',
    (code) => {
      expect(answerTo(new ApiError(code)).headers).toEqual({ 'retry-after': 5 });
      const permanent = new ApiError(code, {}, { isPermanent: true });
      expect(answerTo(permanent)).toMatchObject({ status: 503, headers: {} });
      expect(answerTo(permanent).headers).toEqual({});
    },
  );

  it('has the value of the error', () => {
    const apiError = new ApiError('too_many_requests', { limit: 2, retryAfterSeconds: 1 });
    expect(answerTo(apiError).headers).toEqual({ 'retry-after': 1 });
  });
});

describe('a limit of requests', () => {
  it.each([
    'rate_limited',
    'too_many_requests',
    'too_many_streams',
    'too_many_answers',
    'screenshot_quota',
  ] as const)('%s starts with the documented text', (code) => {
    expect(API_ERRORS[code].status).toBe(429);
    expect(API_ERRORS[code].text).toMatch(/^Rate limit exceeded(?:: |$)/);
  });
});
