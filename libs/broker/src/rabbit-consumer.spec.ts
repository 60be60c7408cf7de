import { EventEmitter, once } from 'node:events';
import type { AsyncMessage } from 'rabbitmq-client';
import { RabbitConsumer } from './rabbit-consumer.js';
import { DEFAULT_TIMING } from './rabbit-link.js';

/** The part of a channel that a consumer uses; it notes what is acknowledged. */
class FakeChannel extends EventEmitter {
  readonly active = true;
  readonly said: string[];
  private deliver: ((message: AsyncMessage) => void) | undefined;

  constructor(said: string[]) {
    super();
    this.said = said;
  }

  basicQos = async (): Promise<void> => {};
  basicCancel = async (): Promise<void> => {};
  close = async (): Promise<void> => this.note('close');

  basicConsume = async (_: object, deliver: (message: AsyncMessage) => void) => {
    this.deliver = deliver;
    this.emit('subscribed');
    return { consumerTag: 'tag' };
  };

  basicAck = (): void => this.note('ack');
  basicNack = (): void => this.note('nack');

  send(): void {
    this.deliver?.({
      body: { n: 1 },
      contentType: 'application/json',
      deliveryTag: 1,
      replyTo: 'back',
      redelivered: false,
      headers: {},
    } as unknown as AsyncMessage);
  }

  private note(what: string): void {
    this.said.push(what);
    this.emit('settled');
  }
}

describe('the outcome of a task', () => {
  const said: string[] = [];
  let carryOut: () => Promise<void>;
  let handler: () => Promise<string>;
  let channel: FakeChannel;
  let consumer: RabbitConsumer;

  const start = async (timing = DEFAULT_TIMING): Promise<void> => {
    channel = new FakeChannel(said);
    const subscribed = once(channel, 'subscribed');
    consumer = new RabbitConsumer({
      queue: 'scrape',
      concurrency: 1,
      readAhead: 1,
      handler: () => handler(),
      link: { acquire: async () => channel } as never,
      topology: { ensure: async () => {}, queueOf: () => 'scrape' } as never,
      timing,
      events: {},
      carryOut: () => carryOut(),
    });
    consumer.start();
    await subscribed;
  };
  beforeEach(async () => {
    said.length = 0;
    handler = async () => 'result';
    await start();
  });
  afterEach(() => consumer.drain(0));

  it('is stored before its message is acknowledged', async () => {
    carryOut = async () => {
      await Promise.resolve();
      said.push('stored');
    };
    const settled = once(channel, 'settled');
    channel.send();
    await settled;
    expect(said).toEqual(['stored', 'ack']);
  });

  it('is waited for when the consumer stops', async () => {
    const work = Promise.withResolvers<string>();
    const begun = Promise.withResolvers<void>();
    handler = () => {
      begun.resolve();
      return work.promise;
    };
    carryOut = async () => void said.push('stored');
    channel.send();
    await begun.promise;
    jest.useFakeTimers();
    try {
      const drained = consumer.drain(60_000);
      await jest.advanceTimersByTimeAsync(59_000);
      expect(said).toEqual([]);
      work.resolve('result');
      expect(await drained).toEqual({ abandoned: 0 });
    } finally {
      jest.useRealTimers();
    }
    expect(said).toEqual(['stored', 'ack', 'close']);
  });

  it('that cannot be stored gives its message back', async () => {
    carryOut = async () => {
      throw new Error('the broker is away');
    };
    const settled = once(channel, 'settled');
    channel.send();
    await settled;
    expect(said).toEqual(['nack']);
  });

  it('is stored for a task that arrives while an idle consumer renews its channel', async () => {
    await consumer.drain(0);
    said.length = 0;
    const work = Promise.withResolvers<string>();
    handler = () => work.promise;
    carryOut = async () => void said.push('stored');
    await start({ ...DEFAULT_TIMING, idleRefreshMs: 1 });
    const again = once(channel, 'subscribed');
    channel.basicCancel = async () => channel.send();
    await again;
    channel.basicCancel = async () => {};
    const settled = once(channel, 'settled');
    work.resolve('result');
    await settled;
    expect(said).toEqual(['stored', 'ack']);
  });
});
