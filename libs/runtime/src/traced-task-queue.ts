import type {
  ConsumeOptions,
  Delivery,
  PublishOptions,
  RequestOptions,
  TaskConsumer,
  TaskHandler,
  TaskQueue,
} from '@app/broker';
import type { QueueName } from '@app/contracts';
import { inSpan } from '@app/telemetry';

/**
 * A task queue that carries the trace of a task's publisher to its handler. A page of a crawl begins a trace of its own:
 * the job that it belongs to may be days old, and a trace of a million pages is of no use.
 */
export class TracedTaskQueue implements TaskQueue {
  constructor(private readonly inner: TaskQueue) {}

  get isConnected(): boolean {
    return this.inner.isConnected;
  }

  publish(queue: QueueName, task: unknown, options: PublishOptions = {}): Promise<void> {
    return inSpan(`publish ${queue}`, publishing(queue), (span) =>
      this.inner.publish(queue, task, { ...options, traceparent: span?.traceparent }),
    );
  }

  publishMany(
    queue: QueueName,
    tasks: readonly unknown[],
    options?: PublishOptions,
  ): Promise<void> {
    return this.inner.publishMany(queue, tasks, options);
  }

  request(queue: QueueName, task: unknown, options: RequestOptions): Promise<unknown> {
    return inSpan(`publish ${queue}`, publishing(queue), (span) =>
      this.inner.request(queue, task, { ...options, traceparent: span?.traceparent }),
    );
  }

  consume(queue: QueueName, options: ConsumeOptions): Promise<TaskConsumer> {
    return this.inner.consume(queue, { ...options, handler: traced(queue, options.handler) });
  }

  depth(queue: QueueName): Promise<number> {
    return this.inner.depth(queue);
  }

  ping(): Promise<void> {
    return this.inner.ping();
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}

function traced(queue: QueueName, handler: TaskHandler): TaskHandler {
  return (delivery: Delivery) =>
    inSpan(
      `process ${queue}`,
      {
        kind: 'consumer',
        parent: delivery.traceparent,
        attributes: {
          ...messaging(queue, 'process'),
          'trawl.task.redelivered': delivery.redelivered,
          'trawl.task.wait_ms': Math.max(0, Date.now() - delivery.publishedAtMs),
        },
      },
      () => handler(delivery),
    );
}

const publishing = (queue: QueueName) =>
  ({ kind: 'producer', attributes: messaging(queue, 'send') }) as const;

function messaging(queue: QueueName, operation: 'send' | 'process') {
  return {
    'messaging.system': 'rabbitmq',
    'messaging.destination.name': queue,
    'messaging.operation.type': operation,
  };
}
