import http from 'node:http';
import https from 'node:https';

const MAX_SOCKETS = 64;
/** Maximum silence of the store until its response begins. */
const ANSWER_WAIT_MS = 30_000;
/** Maximum silence within a response; readers may be slow, and a stalled reader stalls the socket. */
const BODY_WAIT_MS = 300_000;
const BUSY_STATUSES = new Set([408, 429, 499, 500, 502, 503, 504, 520]);

/** The store requests a retry later. */
export class StorageBusyError extends Error {
  override readonly name = 'StorageBusyError';
}

export interface S3Transport {
  readonly agent: http.Agent;
  readonly request: typeof http.request;
}

/**
 * HTTP with keep-alive and limits on silence. A busy response becomes an error here: the client would not read
 * its body, which blocks a connection forever.
 */
export function openS3Transport(useTls: boolean): S3Transport {
  const { Agent, request } = useTls ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  const limited = (
    options: http.RequestOptions,
    onResponse: (response: http.IncomingMessage) => void,
  ): http.ClientRequest => {
    const sent = request(options, (response) => {
      response.setTimeout(BODY_WAIT_MS, () =>
        response.destroy(new Error('The store stopped sending data')),
      );
      if (!BUSY_STATUSES.has(response.statusCode ?? 0)) return onResponse(response);
      response.resume();
      sent.emit('error', new StorageBusyError(`The store responded with ${response.statusCode}`));
    });
    sent.setTimeout(ANSWER_WAIT_MS, () =>
      sent.destroy(new StorageBusyError('The store did not respond in time')),
    );
    return sent;
  };
  return { agent, request: limited as typeof http.request };
}
