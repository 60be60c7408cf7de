import { Connection } from 'rabbitmq-client';
import { Client } from 'pg';

import { killService, startService, wipeService } from './fault-services.js';
import { brokerUrl, freshDatabase, freshPrefix } from './test-servers.js';

it('restarts a killed RabbitMQ with its durable messages', async () => {
  const queue = freshPrefix();
  await withBroker(async (connection) => {
    await connection.queueDeclare({ queue, durable: true });
    const publisher = connection.createPublisher({ confirm: true });
    await publisher.send({ routingKey: queue, durable: true }, 'kept');
    await publisher.close();
  });

  await killService('rabbitmq');
  await expect(withBroker(async () => undefined)).rejects.toThrow();
  await startService('rabbitmq');

  await withBroker(async (connection) => {
    expect((await connection.basicGet({ queue }))?.body).toBe('kept');
    await connection.queueDelete({ queue });
  });
});

it('starts a wiped RabbitMQ empty on the same address', async () => {
  const queue = freshPrefix();
  await withBroker((connection) => connection.queueDeclare({ queue, durable: true }));

  await wipeService('rabbitmq');

  await withBroker(async (connection) => {
    await expect(connection.queueDeclare({ queue, passive: true })).rejects.toThrow(/NOT_FOUND/);
  });
});

it('restarts a killed PostgreSQL with the committed rows', async () => {
  const database = await freshDatabase();
  await query(database.url, 'create table kept as select 7 n');

  await killService('postgres');
  await expect(query(database.url, 'select 1')).rejects.toThrow();
  await startService('postgres');

  expect(await query(database.url, 'select n from kept')).toEqual([{ n: 7 }]);
  await database.drop();
});

async function withBroker(use: (connection: Connection) => Promise<unknown>): Promise<void> {
  const connection = new Connection({ url: brokerUrl(), acquireTimeout: 5_000 });
  connection.on('error', () => undefined); // each use reports its own failure
  try {
    await use(connection);
    await connection.onConnect(5_000, true);
  } finally {
    await connection.close();
  }
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
