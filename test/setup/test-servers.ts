import { randomBytes } from 'node:crypto';
import { until } from '@app/testing';
import { Client as MinioClient, CopyDestinationOptions, CopySourceOptions } from 'minio';
import { Client } from 'pg';
import { databaseUrl, migratedTemplate } from './migrated-template.js';

/** Something made for one test, and how to remove it again. */
export interface Fresh {
  readonly url: string;
  drop(): Promise<void>;
}

/**
 * An empty database of its own on the test PostgreSQL. Dropping it ends connections that are still
 * open.
 */
export function freshDatabase(): Promise<Fresh> {
  return createDatabase('template1');
}

/**
 * A database with the current schema and no rows, copied from one that was migrated once for all
 * tests.
 */
export async function freshMigratedDatabase(name = freshPrefix()): Promise<Fresh> {
  return createDatabase(await migratedTemplate(databaseServerUrl()), name);
}

async function createDatabase(template: string, name = freshPrefix()): Promise<Fresh> {
  const server = databaseServerUrl();
  await execute(server, `CREATE DATABASE test_${name} TEMPLATE ${template}`);
  return {
    url: databaseUrl(server, `test_${name}`),
    drop: () => dropDatabase(`test_${name}`),
  };
}

/** FORCE gives connections five seconds to end, which those of a busy server may exceed. */
export async function dropDatabase(name: string): Promise<void> {
  const statement = `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`;
  const isDropped = () => execute(databaseServerUrl(), statement).then(() => true);
  await until(isDropped, { what: `the end of ${name}` });
}

/**
 * An empty bucket of its own on the test MinIO, as a STORAGE_URL. Dropping it deletes what is in
 * it.
 */
export async function freshBucket(name = freshPrefix()): Promise<Fresh> {
  const url = new URL(storageServerUrl());
  url.pathname = `/test-${name}`;
  await storageClient(url).makeBucket(`test-${name}`);
  return { url: url.href, drop: () => dropBucket(name) };
}

/** Copies every object of one bucket to another of the test MinIO. */
export async function copyBucket(from: Fresh, to: Fresh): Promise<void> {
  const client = storageClient(new URL(from.url));
  const [source, target] = [from, to].map(({ url }) => new URL(url).pathname.slice(1));
  if (source === undefined || target === undefined) throw new Error('no bucket');
  for await (const item of client.listObjectsV2(source, '', true)) {
    const name = nameOf(item);
    const [kept, copy] = [
      { Bucket: source, Object: name },
      { Bucket: target, Object: name },
    ];
    await client.copyObject(new CopySourceOptions(kept), new CopyDestinationOptions(copy));
  }
}

/** The test RabbitMQ. Shared by all tests: give queues and exchanges a {@link freshPrefix}. */
export function brokerUrl(): string {
  return address('TEST_BROKER_URL', 'RabbitMQ');
}

/** The test PostgreSQL itself; tests take {@link freshDatabase}. */
export function databaseServerUrl(): string {
  return address('TEST_DATABASE_URL', 'PostgreSQL');
}

/** The test MinIO with a bucket that all tests share; tests take {@link freshBucket}. */
export function storageServerUrl(): string {
  return address('TEST_STORAGE_URL', 'MinIO');
}

/** The Chromium that tests start. */
export function chromiumPath(): string {
  return address('CHROMIUM_PATH', 'Chromium');
}

/** A unique name: lower-case letters and digits, starts with a letter, fits SQL, AMQP and S3. */
export function freshPrefix(): string {
  return `t${randomBytes(6).toString('hex')}`;
}

function address(name: string, what: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(
    `this test needs a real ${what}, and ${name} is not set: run it by \`npm test -- <path>\`, or once ` +
      '`npm run services -- start` and then `eval "$(npm run --silent services -- env)"` before jest',
  );
}

export async function execute(url: string, statement: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function storageClient(url: URL): MinioClient {
  return new MinioClient({
    endPoint: url.hostname,
    port: Number(url.port),
    useSSL: url.protocol === 's3+https:',
    accessKey: decodeURIComponent(url.username),
    secretKey: decodeURIComponent(url.password),
  });
}

/** The {@link freshBucket} of that name, if there is one. */
export async function dropBucket(name: string): Promise<void> {
  const client = storageClient(new URL(storageServerUrl()));
  const bucket = `test-${name}`;
  if (!(await client.bucketExists(bucket))) return;
  const names: string[] = [];
  for await (const item of client.listObjectsV2(bucket, '', true)) names.push(nameOf(item));
  if (names.length > 0) await client.removeObjects(bucket, names);
  await client.removeBucket(bucket);
}

function nameOf(item: unknown): string {
  const { name } = item as { readonly name?: unknown };
  if (typeof name === 'string') return name;
  throw new Error(`an object without a name: ${JSON.stringify(item)}`);
}
