import { createHash } from 'node:crypto';
import type pg from 'pg';
import { newId } from '@app/contracts';
import { freshStore, type FreshStore } from '../../../../test/setup/fresh-store.js';
import { fillTenant, type FilledTenant } from '../../test/tenant-rows.js';
import {
  findJob,
  jobReasons,
  recentJobs,
  resultRows,
  archivedRows,
  copiesOf,
  ledgerSlice,
  findDeletion,
  findDelivery,
  listDeliveries,
  redeliver,
  readSecrets,
} from '@app/jobs';
import { findApiKey, listApiKeys, revokeApiKeyById, rotateApiKey } from '@app/accounts';
import { Store } from '../database.js';
import type { Statement } from '../statement.js';
import type { TenantScope } from './scoped-query.js';

/** The same statement without the condition that keeps it to a tenant. */
function forget({ name, text }: Statement): Statement {
  const forgetful = text.replace(/(?:\b\w+\.)?tenant_id = \$(\d+)/g, '$$$1::uuid IS NOT NULL');
  return { name: `forgets_${name}`, text: forgetful };
}

/** Runs what tenants ask for without asking whose it is, with or without the second lock. */
class ForgetfulStore extends Store {
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
  /** Asks as `asker` for what is the victim's. */
  readonly ask: (store: Store, asker: string, victim: FilledTenant) => Promise<unknown>;
  /** What is answered when there is no such thing. */
  readonly nothing: unknown;
}

const ALL = { jobId: null, state: null, before: null, most: 100 };
const LEDGER = { after: 0n, most: 10, state: null, reason: null, window: 10 };
const secretOf = ({ tenantId }: FilledTenant): Buffer =>
  createHash('sha256').update(tenantId).digest();

const ASKS: readonly Ask[] = [
  { what: 'a job', ask: (store, who, { jobId }) => findJob(store, who, jobId), nothing: null },
  {
    what: 'jobs',
    ask: async (store, who, { jobId }) =>
      (await recentJobs(store, who, 100)).some(({ id }) => id === jobId),
    nothing: false,
  },
  {
    what: 'why pages of a job were skipped',
    ask: (store, who, { jobId }) => jobReasons(store.asReader(who), jobId),
    nothing: [],
  },
  {
    what: 'the ledger of a job',
    ask: (store, who, { jobId }) => ledgerSlice(store.asReader(who), jobId, LEDGER),
    nothing: null,
  },
  {
    what: 'the results of a job',
    ask: (store, who, { jobId }) => resultRows(store.asReader(who), jobId, 0, 10),
    nothing: [],
  },
  {
    what: 'the archive of a job',
    ask: (store, who, { jobId }) => archivedRows(store.asReader(who), jobId, 0, 10),
    nothing: [],
  },
  {
    what: 'copies of a page',
    ask: (store, who, { jobId, pageKey: urlKey }) =>
      copiesOf(store.asReader(who), { jobId, urlKey }, null, 10),
    nothing: [],
  },
  {
    what: 'a delivery',
    ask: (store, who, { deliveryId }) => findDelivery(store, who, deliveryId),
    nothing: null,
  },
  {
    what: 'deliveries',
    ask: async (store, who, { deliveryId }) =>
      (await listDeliveries(store, who, ALL)).some(({ id }) => id === deliveryId),
    nothing: false,
  },
  {
    what: 'that a delivery is sent again',
    ask: (store, who, { deliveryId }) => redeliver(store, who, deliveryId),
    nothing: false,
  },
  {
    what: 'signing secrets',
    ask: async (store, who, victim) =>
      (await readSecrets(store, who)).some(({ secret }) => secret.equals(secretOf(victim))),
    nothing: false,
  },
  {
    what: 'a key',
    ask: (store, tenantId, { keyId }) => findApiKey(store, { tenantId, keyId }),
    nothing: null,
  },
  {
    what: 'keys',
    ask: async (store, who, { keyId }) =>
      (await listApiKeys(store, who)).some(({ id }) => id === keyId),
    nothing: false,
  },
  {
    what: 'that a key is revoked',
    ask: (store, tenantId, { keyId }) => revokeApiKeyById(store, { tenantId, keyId }),
    nothing: false,
  },
  {
    what: 'that a key is rotated',
    ask: (store, tenantId, { keyId }) =>
      rotateApiKey(store, { tenantId, keyId, overlapSeconds: 60 }),
    nothing: null,
  },
  {
    what: 'a deletion',
    ask: (store, who, { deletionId }) => findDeletion(store, who, deletionId),
    nothing: null,
  },
];

describe('a statement that forgets whose rows it may touch', () => {
  let fresh: FreshStore<ForgetfulStore>;
  let store: ForgetfulStore;
  let victim: FilledTenant;
  let stranger: FilledTenant;

  beforeAll(async () => {
    fresh = await freshStore(ForgetfulStore);
    ({ store } = fresh);
  }, 30_000);
  afterAll(() => fresh?.drop());
  beforeEach(async () => {
    store.isLocked = true;
    await store.query({ name: 'spec reset', text: 'TRUNCATE tenants CASCADE' });
    victim = await fillTenant(store, newId());
    stranger = await fillTenant(store, newId());
  });

  it.each(ASKS)('gives a stranger nothing who asks for $what', async ({ ask, nothing }) => {
    expect(await ask(store, stranger.tenantId, victim)).toEqual(nothing);
    expect(await ask(store, victim.tenantId, victim)).not.toEqual(nothing);
    // Without the second lock it would.
    store.isLocked = false;
    expect(await ask(store, stranger.tenantId, victim)).not.toEqual(nothing);
  });
});
