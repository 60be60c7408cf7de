import { Trawl } from '@app/client';
import { CliError } from '../../cli-error.js';
import { CliWords } from '../../cli-words.js';

export interface TrawlAccess {
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
}

/** A tool call is short: its client would give up before a fifth attempt. */
const RETRIES = 2;
const CRAWL_PATH = '/v1/crawl';

/**
 * Opens the client at the first call, so that a host can list the tools before the settings are right.
 * @param send for tests
 */
export function trawlOpener(
  findAccess: () => TrawlAccess,
  send: (url: string, init: RequestInit) => Promise<Response> = fetch,
): () => Trawl {
  let trawl: Trawl | undefined;
  return () => {
    if (trawl) return trawl;
    const { url, apiKey } = findAccess();
    if (url === undefined || url === '') throw missing('TRAWL_URL', 'the address of the service');
    if (apiKey === undefined || apiKey === '') throw missing('TRAWL_API_KEY', 'your API key');
    return (trawl = open(url, apiKey, send));
  };
}

function open(
  baseUrl: string,
  apiKey: string,
  send: (url: string, init: RequestInit) => Promise<Response>,
): Trawl {
  const options = { baseUrl, apiKey, retries: RETRIES, fetch: cancellable(send) };
  try {
    return new Trawl(options);
  } catch (error) {
    const names = { baseUrl: 'TRAWL_URL', apiKey: 'TRAWL_API_KEY' };
    const problem = new CliWords(null, names).of((error as Error).message);
    throw new CliError(
      `The settings of the tool server are unusable: ${problem}`,
      'Correct TRAWL_URL and TRAWL_API_KEY in the configuration of the tool server, and restart it.',
    );
  }
}

/**
 * With an Idempotency-Key the service goes on when the client closes the connection. A cancelled tool call must end
 * its work instead. Only a crawl keeps its key: it is cancelled by its id.
 */
function cancellable(
  send: (url: string, init: RequestInit) => Promise<Response>,
): (url: string, init: RequestInit) => Promise<Response> {
  return (url, init) => {
    if (new URL(url).pathname.endsWith(CRAWL_PATH)) return send(url, init);
    const headers = new Headers(init.headers);
    headers.delete('idempotency-key');
    return send(url, { ...init, headers });
  };
}

function missing(name: string, meaning: string): CliError {
  return new CliError(
    `${name} is not set: the tool server does not know ${meaning}.`,
    `Set ${name} in the configuration of the tool server and restart it, or run trawl login.`,
  );
}
