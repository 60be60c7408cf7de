import http from 'node:http';
import https from 'node:https';

const MAX_SOCKETS = 64;
/** Longest silence of the store while it takes a request and until it answers. */
const ANSWER_WAIT_MS = 30_000;
/** Longest silence within an answer; readers may be slow, and a stalled one stalls the socket. */
const BODY_WAIT_MS = 300_000;
const BUSY_STATUSES = new Set([408, 429, 499, 500, 502, 503, 504, 520]);

/** The store asks to come back later. */
export class StorageBusyError extends Error {
  override readonly name = 'StorageBusyError';
}

export interface S3Transport {
  readonly agent: http.Agent;
  readonly request: typeof http.request;
}

/**
 * HTTP with kept connections and limits on silence. A busy answer becomes an error here: the
 * client would leave its body unread, which blocks a connection for good.
 */
export function openS3Transport(useTls: boolean): S3Transport {
  const { Agent, request } = useTls ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  const limited = (
    options: http.RequestOptions,
    onResponse: (response: http.IncomingMessage) => void,
  ): http.ClientRequest => {
    const sent = request(options, (response) => {
      response.setTimeout(BODY_WAIT_MS, () => response.destroy(new Error('The store went silent')));
      if (!BUSY_STATUSES.has(response.statusCode ?? 0)) return onResponse(response);
      response.resume();
      sent.emit('error', new StorageBusyError(`The store answered ${response.statusCode}`));
    });
    sent.setTimeout(ANSWER_WAIT_MS, () =>
      sent.destroy(new StorageBusyError('The store did not answer in time')),
    );
    return sent;
  };
  return { agent, request: limited as typeof http.request };
}
