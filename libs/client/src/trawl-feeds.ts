import type { ApiConnection, CallOptions } from './api-connection.js';
import type { FeedInput, Schemas } from './schemas.js';

type Feed = Schemas['FeedView'];

/** Feeds of the account. Every method that changes one returns it as it is afterwards. */
export class TrawlFeeds {
  constructor(private readonly connection: ApiConnection) {}

  /** Watches a connector by a schedule (cron, five fields). */
  create(feed: FeedInput, call: CallOptions = {}): Promise<Feed> {
    return this.connection.json({ ...call, method: 'POST', path: '/v1/feeds', body: feed });
  }

  /** All of them, newest first. */
  async list(call: CallOptions = {}): Promise<readonly Feed[]> {
    const path = '/v1/feeds';
    return (await this.connection.json<Schemas['FeedList']>({ ...call, method: 'GET', path }))
      .feeds;
  }

  get(id: string, call: CallOptions = {}): Promise<Feed> {
    return this.connection.json({ ...call, method: 'GET', path: pathOf(id) });
  }

  /** The newest 100 runs, newest first. */
  async runs(id: string, call: CallOptions = {}): Promise<readonly Schemas['FeedRunView'][]> {
    const path = `${pathOf(id)}/runs`;
    const { runs } = await this.connection.json<Schemas['FeedRunList']>({
      ...{ ...call, method: 'GET', path },
    });
    return runs;
  }

  pause(id: string, call?: CallOptions): Promise<Feed> {
    return this.change(id, 'pause', call);
  }

  /** It runs again at its next tick. */
  resume(id: string, call?: CallOptions): Promise<Feed> {
    return this.change(id, 'resume', call);
  }

  /** Runs it now, also while it is paused; its schedule stays. */
  run(id: string, call?: CallOptions): Promise<Feed> {
    return this.change(id, 'run', call);
  }

  /** Gives its files new signed addresses: the former ones are good no more. */
  renewAddresses(id: string, call?: CallOptions): Promise<Feed> {
    return this.change(id, 'addresses', call);
  }

  /** Deletes it with its rows, its history and pending deliveries. */
  delete(id: string, call: CallOptions = {}): Promise<Schemas['FeedDeleted']> {
    return this.connection.json({ ...call, method: 'DELETE', path: pathOf(id) });
  }

  private change(id: string, what: string, call: CallOptions = {}): Promise<Feed> {
    return this.connection.json({ ...call, method: 'POST', path: `${pathOf(id)}/${what}` });
  }
}

function pathOf(id: string): string {
  return `/v1/feeds/${encodeURIComponent(id)}`;
}
