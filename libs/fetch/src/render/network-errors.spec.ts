import { navigationError } from './render-page.js';

describe('navigationError', () => {
  it.each([
    ['net::ERR_NAME_NOT_RESOLVED', 'network', /name/],
    ['net::ERR_CONNECTION_REFUSED', 'network', /refused/],
    ['net::ERR_EMPTY_RESPONSE', 'network', /without an answer/],
    ['net::ERR_TUNNEL_CONNECTION_FAILED', 'network', /failed/],
    ['net::ERR_CERT_DATE_INVALID', 'network', /TLS/],
    ['net::ERR_SSL_PROTOCOL_ERROR', 'network', /TLS/],
    ['net::ERR_HTTP2_PROTOCOL_ERROR', 'network', /protocol/],
    ['net::ERR_CONNECTION_TIMED_OUT', 'timeout', /too long/],
    ['net::ERR_TOO_MANY_REDIRECTS', 'http_error', /redirects/],
    ['net::ERR_UNSAFE_REDIRECT', 'http_error', /not of the web/],
    ['net::ERR_INVALID_CHUNKED_ENCODING', 'parse_error', /HTTP/],
    ['net::ERR_CONTENT_DECODING_FAILED', 'parse_error', /decompressed/],
    ['net::ERR_UNSAFE_PORT', 'unknown', /refused the address/],
    ['net::ERR_BLOCKED_BY_CLIENT', 'unknown', /refused the address/],
    ['net::ERR_SOMETHING_NEW', 'unknown', /SOMETHING_NEW/],
    ['', 'unknown', /no reason given/],
  ])('%s is %s', (errorText, errorClass, problem) => {
    expect(navigationError(errorText)).toMatchObject({
      errorClass,
      message: expect.stringMatching(problem),
    });
  });
});
