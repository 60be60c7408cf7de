import { FrontierFixture } from '../../test/frontier-fixture.js';
import { outboxBacklog, relayOutbox, type OutboxEntry } from './outbox.js';

describe('messages that the broker has not confirmed', () => {
  let fixture: FrontierFixture;
  beforeAll(async () => {
    fixture = await FrontierFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    await fixture.run('TRUNCATE outbox');
    await fixture.run(`
      INSERT INTO outbox (queue, messages, created_at)
      VALUES ('crawl', '[1]', now() - interval '1 hour'), ('crawl', '[2]', now() - interval '1 hour'),
             ('crawl', '[3]', now())`);
  });

  const relay = (publish: (entry: OutboxEntry) => Promise<void>) =>
    relayOutbox(fixture.database, { olderThanMs: 600_000, batch: 10 }, publish);
  const pending = async () => (await outboxBacklog(fixture.database)).pending;

  it('are published once they are old, in order, and then forgotten', async () => {
    const sent: unknown[] = [];
    expect(await relay(async ({ messages }) => void sent.push(...messages))).toBe(2);
    expect([sent, await pending()]).toEqual([[1, 2], 1]);
  });

  it('stay while one of them cannot be published', async () => {
    const away = new Error('the broker is away');
    let published = 0;
    const publish = async () => {
      if (++published === 2) throw away;
    };
    await expect(relay(publish)).rejects.toBe(away);
    expect(await pending()).toBe(3);
  });
});
