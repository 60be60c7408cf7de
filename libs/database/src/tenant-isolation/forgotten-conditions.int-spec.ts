import { createHash } from 'node:crypto';
import type pg from 'pg';
import { newId } from '@app/contracts';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { fillTenant, type FilledTenant } from '../../test/tenant-rows.js';
import {
  findJob,
  jobReasons,
  recentJobs,
  resultRows,
  archivedRows,
  copiesOf,
  urlReportSlice,
  findDeletion,
} from '@app/jobs';
import { findDelivery, listDeliveries, readSecrets, redeliver } from '@app/webhooks';
import { findApiKey, listApiKeys, revokeApiKeyById, rotateApiKey } from '@app/accounts';
import { Database } from '../database.js';
import type { Statement } from '../statement.js';
import type { TenantScope } from './scoped-query.js';

/** The same statement without the condition that limits it to a tenant. */
function forget({ name, text }: Statement): Statement {
  const forgetful = text.replace(/(?:\b\w+\.)?tenant_id = \$(\d+)/g, '$$$1::uuid IS NOT NULL');
  return { name: `forgets_${name}`, text: forgetful };
}

/** Runs tenants' statements without their tenant condition, with or without tenant isolation. */
class ForgetfulDatabase extends Database {
  isLocked = true;

  protected override async queryAs<R extends pg.QueryResultRow>(
    scope: TenantScope,
    statement: Statement,
    values: readonly unknown[] = [],
  ): Promise<R[]> {
    const forgetful = forget(statement);
    return this.isLocked
      ? super.queryAs<R>(scope, forgetful, values)
      : this.query<R>(forgetful, values);
  }

  protected override async transactAs<T>(
    scope: TenantScope,
    work: (tx: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    const forgetfully = (tx: pg.PoolClient): Promise<T> => {
      const query = (statement: Statement & { readonly values: unknown[] }): unknown =>
        tx.query({ ...forget(statement), values: statement.values });
      return work({ query } as unknown as pg.PoolClient);
    };
    return this.isLocked ? super.transactAs(scope, forgetfully) : this.transaction(forgetfully);
  }
}

interface Ask {
  readonly what: string;
  /** Requests the victim's data as `asker`. */
  readonly ask: (database: Database, asker: string, victim: FilledTenant) => Promise<unknown>;
  /** The result if there is no such data. */
  readonly nothing: unknown;
}

const ALL = { jobId: null, state: null, before: null, most: 100 };
const LEDGER = { after: 0n, most: 10, state: null, reason: null, window: 10 };
const secretOf = ({ tenantId }: FilledTenant): Buffer =>
  createHash('sha256').update(tenantId).digest();

const ASKS: readonly Ask[] = [
  {
    what: 'a job',
    ask: (database, who, { jobId }) => findJob(database, who, jobId),
    nothing: null,
  },
  {
    what: 'jobs',
    ask: async (database, who, { jobId }) =>
      (await recentJobs(database, who, 100)).some(({ id }) => id === jobId),
    nothing: false,
  },
  {
    what: 'why pages of a job were skipped',
    ask: (database, who, { jobId }) => jobReasons(database.asReader(who), jobId),
    nothing: [],
  },
  {
    what: 'the URL report of a job',
    ask: (database, who, { jobId }) => urlReportSlice(database.asReader(who), jobId, LEDGER),
    nothing: null,
  },
  {
    what: 'the results of a job',
    ask: (database, who, { jobId }) => resultRows(database.asReader(who), jobId, 0, 10),
    nothing: [],
  },
  {
    what: 'the archive of a job',
    ask: (database, who, { jobId }) => archivedRows(database.asReader(who), jobId, 0, 10),
    nothing: [],
  },
  {
    what: 'copies of a page',
    ask: (database, who, { jobId, pageKey: urlKey }) =>
      copiesOf(database.asReader(who), { jobId, urlKey }, null, 10),
    nothing: [],
  },
  {
    what: 'a delivery',
    ask: (database, who, { deliveryId }) => findDelivery(database, who, deliveryId),
    nothing: null,
  },
  {
    what: 'deliveries',
    ask: async (database, who, { deliveryId }) =>
      (await listDeliveries(database, who, ALL)).some(({ id }) => id === deliveryId),
    nothing: false,
  },
  {
    what: 'that a delivery is sent again',
    ask: (database, who, { deliveryId }) => redeliver(database, who, deliveryId),
    nothing: null,
  },
  {
    what: 'signing secrets',
    ask: async (database, who, victim) =>
      (await readSecrets(database, who)).some(({ secret }) => secret.equals(secretOf(victim))),
    nothing: false,
  },
  {
    what: 'a key',
    ask: (database, tenantId, { keyId }) => findApiKey(database, { tenantId, keyId }),
    nothing: null,
  },
  {
    what: 'keys',
    ask: async (database, who, { keyId }) =>
      (await listApiKeys(database, who)).some(({ id }) => id === keyId),
    nothing: false,
  },
  {
    what: 'that a key is revoked',
    ask: (database, tenantId, { keyId }) => revokeApiKeyById(database, { tenantId, keyId }),
    nothing: false,
  },
  {
    what: 'that a key is rotated',
    ask: (database, tenantId, { keyId }) =>
      rotateApiKey(database, { tenantId, keyId, overlapSeconds: 60 }),
    nothing: null,
  },
  {
    what: 'a deletion',
    ask: (database, who, { deletionId }) => findDeletion(database, who, deletionId),
    nothing: null,
  },
];

describe('a statement without its tenant condition', () => {
  let fresh: FreshDatabase<ForgetfulDatabase>;
  let database: ForgetfulDatabase;
  let victim: FilledTenant;
  let stranger: FilledTenant;

  beforeAll(async () => {
    fresh = await openFreshDatabase(ForgetfulDatabase);
    ({ database } = fresh);
  });
  afterAll(() => fresh?.drop());
  beforeEach(async () => {
    database.isLocked = true;
    await database.query({ name: 'spec reset', text: 'TRUNCATE tenants CASCADE' });
    victim = await fillTenant(database, newId());
    stranger = await fillTenant(database, newId());
  });

  it.each(ASKS)('gives another tenant nothing: $what', async ({ ask, nothing }) => {
    expect(await ask(database, stranger.tenantId, victim)).toEqual(nothing);
    expect(await ask(database, victim.tenantId, victim)).not.toEqual(nothing);
    // Without tenant isolation it would.
    database.isLocked = false;
    expect(await ask(database, stranger.tenantId, victim)).not.toEqual(nothing);
  });
});
