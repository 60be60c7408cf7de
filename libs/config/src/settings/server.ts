import { address, checked, flag, integer, oneOf, text, type Field } from '../fields.js';
import { parseTrustProxy } from '../trust-proxy.js';

/** Dependencies, addresses and life of a process. */
export const SERVER_SETTINGS = {
  databaseUrl: address(
    'DATABASE_URL',
    'PostgreSQL; default of the embedded start: its own server in DATA_DIR.',
    ['postgres://', 'postgresql://'],
    { isSecret: true },
  ),
  databasePoolSize: integer(
    'DATABASE_POOL_SIZE',
    'Maximum number of database connections of one process.',
    {
      fallback: 10,
      min: 2,
      max: 200,
    },
  ),
  brokerUrl: address(
    'BROKER_URL',
    'RabbitMQ; default of the embedded start: memory: (in this process).',
    ['memory:', 'amqp://', 'amqps://'],
    { isSecret: true },
  ),
  brokerPrefix: text(
    'BROKER_PREFIX',
    'Prefix of every queue name; lets deployments share a broker.',
    { fallback: 'trawl' },
  ),
  storageUrl: address(
    'STORAGE_URL',
    'Page results and files: file:/folder or s3+http(s)://KEY:SECRET@host/bucket; default of the embedded start: a folder in DATA_DIR.',
    ['file:', 's3+http://', 's3+https://'],
    { isSecret: true },
  ),
  storagePublicUrl: address(
    'STORAGE_PUBLIC_URL',
    'Address under which clients reach S3, when it differs from STORAGE_URL.',
    ['http://', 'https://'],
  ),
  dataDir: text(
    'DATA_DIR',
    'Folder of the embedded database, the stored files and the first key.',
    {
      fallback: '.data',
    },
  ),
  host: text('HOST', 'Address the API listens on.', { fallback: '127.0.0.1' }),
  port: integer('PORT', 'Port the API listens on; 0 picks a free one.', {
    fallback: 3000,
    min: 0,
    max: 65_535,
  }),
  publicUrl: address(
    'PUBLIC_URL',
    'Address under which clients reach the API; default http://HOST:PORT.',
    ['http://', 'https://'],
  ),
  metricsHost: text('METRICS_HOST', 'Address that metrics and health of a process listen on.', {
    fallback: '127.0.0.1',
  }),
  metricsPort: integer(
    'METRICS_PORT',
    'Port of metrics and health, separate from the API; 0 picks a free one; default: none is opened. Images and chart use 9464.',
    { min: 0, max: 65_535 },
  ),
  logLevel: oneOf(
    'LOG_LEVEL',
    'Lowest level that is logged.',
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal'],
    { fallback: 'info' },
  ),
  bodyLimitBytes: integer('BODY_LIMIT_BYTES', 'Largest request body of the API.', {
    fallback: 1_048_576,
    min: 1_024,
    max: 104_857_600,
  }),
  drainSeconds: integer(
    'DRAIN_SECONDS',
    'How long a stopping process may finish its running work.',
    { fallback: 30, min: 0, max: 3_600 },
  ),
  migrateOnStart: flag('MIGRATE_ON_START', 'The API migrates the database schema when it starts.', {
    fallback: true,
  }),
  bootstrapTenant: flag(
    'BOOTSTRAP_TENANT',
    'The API creates the first tenant with a key when the database has none, and prints the key once.',
    { fallback: false },
  ),
  trustProxy: checked(
    'TRUST_PROXY',
    'Proxies before the API whose X-Forwarded-For is trusted: comma-separated addresses and CIDRs, or their number if all requests pass them; empty: the address of the connection counts.',
    parseTrustProxy,
    { fallback: '' },
  ),
  provisionPerIpPerDay: integer(
    'PROVISION_PER_IP_PER_DAY',
    'Keys that one client address (IPv4, or the /64 of IPv6) may provision within 24 hours, a network (IPv4 /24, IPv6 /48) four times as many; 0 turns provisioning off.',
    { fallback: 5, min: 0, max: 1_000_000 },
  ),
  downloadSecret: text(
    'DOWNLOAD_SECRET',
    'Signs download links; needed only where several API processes share a file: storage.',
    { isSecret: true },
  ),
  exampleUrl: address(
    'EXAMPLE_URL',
    'Page named in the example commands printed at the first start.',
    ['http://', 'https://'],
    { fallback: 'https://example.com/' },
  ),
} as const satisfies Record<string, Field<unknown>>;
