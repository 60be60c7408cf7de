import { Connection } from 'rabbitmq-client';
import { Client } from 'pg';

import {
  brokerUrl,
  chromiumPath,
  freshBucket,
  freshDatabase,
  freshPrefix,
} from './test-servers.js';
import { existsSync } from 'node:fs';

it('creates an empty database for each test and drops it', async () => {
  const first = await freshDatabase();
  const second = await freshDatabase();
  expect(first.url).not.toBe(second.url);
  const client = new Client(first.url);
  client.on('error', () => undefined); // the drop below ends this connection
  await client.connect();
  await client.query('create table t (n int)');

  await first.drop();
  await second.drop();

  await expect(new Client(first.url).connect()).rejects.toThrow(/does not exist/);
});

it('runs a PostgreSQL that allows many connections', async () => {
  const database = await freshDatabase();
  const client = new Client(database.url);
  await client.connect();
  const { rows } = await client.query<{ max_connections: string }>('show max_connections');
  await client.end();
  await database.drop();
  expect(Number(rows[0]?.max_connections)).toBeGreaterThanOrEqual(300);
});

it('returns a bucket of its own', async () => {
  const bucket = await freshBucket();
  expect(bucket.url).toMatch(/^s3\+http:\/\/\w+:\w+@127\.0\.0\.1:\d+\/test-\w+$/);
  await bucket.drop();
});

it('reaches a broker that speaks AMQP', async () => {
  const connection = new Connection(brokerUrl());
  const queue = await connection.queueDeclare({ queue: freshPrefix(), exclusive: true });
  expect(queue.messageCount).toBe(0);
  await connection.close();
});

it('names a Chromium that is there', () => {
  expect(existsSync(chromiumPath())).toBe(true);
});

it('explains how to get the servers when they are missing', () => {
  const before = process.env.TEST_BROKER_URL;
  delete process.env.TEST_BROKER_URL;
  try {
    expect(() => brokerUrl()).toThrow(/TEST_BROKER_URL is not set.*npm test/);
  } finally {
    process.env.TEST_BROKER_URL = before;
  }
});
