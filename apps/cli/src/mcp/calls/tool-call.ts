import type { CallOptions, Trawl } from '@app/client';
import type { KeptCopies } from '../text/kept-copies.js';
import type { WebContentMark } from '../text/web-content.js';
import type { CallProgress } from './call-progress.js';

/** Everything that the calls of one server share. */
export interface ToolServices {
  /** The client of the API. Throws a CliError if its settings are unusable. */
  readonly connect: () => Trawl;
  readonly copies: KeptCopies;
  readonly mark: WebContentMark;
  readonly log: (message: string) => void;
}

/** One call of a tool. */
export interface ToolCall extends ToolServices {
  readonly tool: string;
  /** Aborted when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  readonly progress: CallProgress;
}

/** The result of a request that ends with the call; reports that it is under way. */
export function request<T>(
  { connect, signal, progress }: ToolCall,
  what: string,
  send: (trawl: Trawl, options: CallOptions) => Promise<T>,
): Promise<T> {
  return progress.during(what, send(connect(), { signal }));
}
