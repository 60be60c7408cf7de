import {
  maxHeaderSize,
  STATUS_CODES,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ApiError, newId, type ApiErrorCode } from '@app/contracts';
import { presentApiError } from './api-error.filter.js';

const BY_CODE: Readonly<Record<string, ApiErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/**
 * Responds to what the HTTP parser refused, in the form of every other error. There is no request that a route could
 * answer, and nothing after it on the connection can be read.
 */
export function answerParserError(
  { code = '' }: NodeJS.ErrnoException,
  socket: Socket,
  headers: OutgoingHttpHeaders,
): void {
  const { _httpMessage: current } = socket as { readonly _httpMessage?: ServerResponse | null };
  // A response that has begun cannot be followed by another one.
  if (code === 'ECONNRESET' || !socket.writable || current?.headersSent === true)
    return void socket.destroy();
  const apiError = new ApiError(BY_CODE[code] ?? 'malformed_request', { limit: maxHeaderSize });
  const { status } = apiError.row;
  const body = JSON.stringify(presentApiError(apiError));
  const fields = {
    ...headers,
    ...{ 'content-type': 'application/json; charset=utf-8', 'x-request-id': newId() },
    ...{ 'content-length': Buffer.byteLength(body), date: new Date().toUTCString() },
    connection: 'close',
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  socket.destroySoon();
}

/**
 * What Node would answer by itself, with an empty body: a request without a host is refused by us, and an expectation
 * that we do not know is ignored (RFC 9110, 10.1.1).
 */
export function answerBeforeRouting(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async ({ raw, headers }) => {
    if (raw.httpVersion === '1.1' && headers.host === undefined)
      throw new ApiError('malformed_request', {}, { hint: 'Add the header Host.' });
  });
  const { server } = fastify;
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}
