import path from 'node:path';
import { projectNode, projectRoot, SpawnedProcess } from '@app/testing';

/** What the management API of RabbitMQ says about a queue. */
export interface QueueFigures {
  /** Ready and unacknowledged; missing in the first seconds of a queue. */
  readonly messages?: number;
  readonly messages_ready?: number;
  readonly messages_unacknowledged?: number;
}

/** A RabbitMQ of one test, with the management API that an autoscaler asks. */
export interface ManagedBroker {
  readonly url: string;
  /** Of the management API, with the account. */
  readonly managementUrl: string;
  /** `GET /api/queues/<vhost>/<queue>` of the default vhost; null for a queue that is not there. */
  queue(name: string): Promise<QueueFigures | null>;
  stop(): Promise<void>;
}

export async function startManagedBroker(): Promise<ManagedBroker> {
  const process = SpawnedProcess.spawn({
    name: 'RabbitMQ',
    command: projectNode(),
    args: [path.join(projectRoot(), 'test/setup/managed-broker.mjs')],
  });
  const { url, management } = await process.waitForLog(
    ({ msg }) => msg === 'listening',
    'its address',
    120_000,
  );
  const authorization = `Basic ${Buffer.from('guest:guest').toString('base64')}`;
  return {
    url: String(url),
    managementUrl: `http://guest:guest@127.0.0.1:${Number(management)}`,
    async queue(name) {
      const address = `http://127.0.0.1:${Number(management)}/api/queues/%2F/${name}`;
      const answer = await fetch(address, { headers: { authorization } });
      if (answer.status === 404) return null;
      if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
      return (await answer.json()) as QueueFigures;
    },
    async stop() {
      process.closeInput();
      await process.exited;
    },
  };
}
