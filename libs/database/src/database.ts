import pg from 'pg';
import { DataSource, getMetadataArgsStorage, type EntityTarget, type ObjectLiteral } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { Schema1732180000001 } from './migrations/0001-schema.js';
import { PageTexts1732180000002 } from './migrations/0002-page-texts.js';
import { Connectors1732180000005 } from './migrations/0005-connectors.js';
import { Feeds1732180000006 } from './migrations/0006-feeds.js';
import { FeedAddresses1732180000007 } from './migrations/0007-feed-addresses.js';
import { EmailEvidence1732180000008 } from './migrations/0008-email-evidence.js';
import { StoredBytes1732180000009 } from './migrations/0009-stored-bytes.js';
import { BrowserOfLink1732180000010 } from './migrations/0010-browser-of-link.js';
import { Extractions1732180000011 } from './migrations/0011-extractions.js';
import { CrawlScope1732180000012 } from './migrations/0012-crawl-scope.js';
import { RequestLog1732180000013 } from './migrations/0013-request-log.js';
import { Studio1732180000014 } from './migrations/0014-studio.js';
import { Recrawls1732180000015 } from './migrations/0015-recrawls.js';
import { Sites1732180000016 } from './migrations/0016-sites.js';
import { Profiles1732180000017 } from './migrations/0017-profiles.js';
import { SearchBackends1732180000003 } from './migrations/0003-search-backends.js';
import { CompanyGraph1732180000004 } from './migrations/0004-company-graph.js';
import { noteTransaction, rowsOn, type Rows } from './repositories.js';
import {
  DatabaseUnavailableError,
  isHiddenTable,
  isShutDown,
  repeatIfVictim,
  sqlState,
} from './server-errors.js';
import type { Queryable, Statement } from './statement.js';
import { missingRights, provideFetcherRole } from './tenant-isolation/fetcher-role.js';
import { beginScoped, queryScoped, type TenantScope } from './tenant-isolation/scoped-query.js';
import { provideTenantRole, readTenantRole } from './tenant-isolation/tenant-role.js';

const MIGRATIONS_RUN: Statement = {
  name: 'migrations_run',
  text: 'SELECT count(*)::int AS count FROM schema_migrations',
};
/** An arbitrary number: replicas that start together migrate one after another. */
const MIGRATION_LOCK = 7_261_774_193;

const STATEMENT_TIMEOUT_MS = 60_000;

export interface DatabaseOptions {
  readonly url: string;
  /** Maximum number of connections of this process. */
  readonly poolSize: number;
  readonly applicationName: string;
  /** For a connection: a new one, or one of the pool that becomes free. @default 5 s */
  readonly connectTimeoutMs?: number;
}

/** Runs statements one by one: the database, or the database as a tenant. */
export type Queries = Pick<Database, 'query'>;
/** See {@link Database.asTenant}. */
export type TenantDatabase = Pick<Database, 'query' | 'transaction'>;

/**
 * PostgreSQL, the truth. One pool serves the entities and the hand-written hot statements.
 * `connect` may be called again until it succeeds; a lost connection heals by itself.
 */
export class Database {
  private readonly dataSource: DataSource;
  private connecting: Promise<void> | undefined;
  private tenantRole: Promise<string> | undefined;

  constructor(private readonly options: DatabaseOptions) {
    this.dataSource = new DataSource({
      type: 'postgres',
      url: options.url,
      poolSize: options.poolSize,
      applicationName: options.applicationName,
      connectTimeoutMS: options.connectTimeoutMs ?? 5_000,
      entities: declaredEntities(),
      migrations: [
        Schema1732180000001,
        PageTexts1732180000002,
        SearchBackends1732180000003,
        CompanyGraph1732180000004,
        Connectors1732180000005,
        Feeds1732180000006,
        FeedAddresses1732180000007,
        EmailEvidence1732180000008,
        StoredBytes1732180000009,
        BrowserOfLink1732180000010,
        Extractions1732180000011,
        CrawlScope1732180000012,
        RequestLog1732180000013,
        Studio1732180000014,
        Recrawls1732180000015,
        Sites1732180000016,
        Profiles1732180000017,
      ],
      migrationsTableName: 'schema_migrations',
      synchronize: false,
      extra: {
        statement_timeout: STATEMENT_TIMEOUT_MS,
        idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
        // A dead connection must not block a heartbeat for ever.
        query_timeout: STATEMENT_TIMEOUT_MS + 5_000,
        keepAlive: true,
        // A plan made anew for each value of a partitioned table costs as much as the statement itself.
        options: '-c plan_cache_mode=force_generic_plan',
      },
      // An idle connection that the server closes is replaced at its next use.
      poolErrorHandler: () => undefined,
    });
  }

  get url(): string {
    return this.options.url;
  }

  get isConnected(): boolean {
    return this.dataSource.isInitialized;
  }

  async connect(): Promise<void> {
    if (this.dataSource.isInitialized) return;
    this.connecting ??= this.dataSource
      .initialize()
      .then(() => undefined)
      .finally(() => {
        this.connecting = undefined;
      });
    await this.connecting;
  }

  /** Brings the schema up to date; safe in any number of replicas at once. Returns the migrations run. */
  async migrate(): Promise<readonly string[]> {
    return this.transaction(async (tx) => {
      // This migration or that of another replica may take long.
      await tx.query('SET LOCAL statement_timeout = 0');
      await tx.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      await tx.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      const done = await this.dataSource.runMigrations({ transaction: 'each' });
      await provideTenantRole(tx);
      await provideFetcherRole(tx);
      return done.map((migration) => migration.name);
    });
  }

  /**
   * Whether every migration of this build has run.
   * @throws DatabaseAccountError when this login may not read the table of migrations
   */
  async isMigrated(): Promise<boolean> {
    try {
      return !(await this.dataSource.showMigrations());
    } catch (error) {
      if (!isHiddenTable(error)) throw error;
      throw await missingRights(this.pool, error);
    }
  }

  /** Migrations that have run. */
  async migrationsRun(): Promise<number> {
    const [row] = await this.query<{ count: number }>(MIGRATIONS_RUN);
    return row?.count ?? 0;
  }

  /** The rows of an entity, each statement by itself; within a transaction see `rowsIn`. */
  rows<T extends ObjectLiteral>(entity: EntityTarget<T>): Rows<T> {
    const query = (text: string, values?: unknown[]) => this.ask({ text, values });
    return rowsOn(this.dataSource, { query } as unknown as Queryable, entity);
  }

  async query<R extends pg.QueryResultRow>(
    statement: Statement,
    values: readonly unknown[] = [],
  ): Promise<R[]> {
    return (await this.ask<R>({ ...statement, values: [...values] })).rows;
  }

  private async ask<R extends pg.QueryResultRow>(
    query: pg.QueryConfig,
  ): Promise<pg.QueryResult<R>> {
    return repeatIfVictim(() =>
      this.lend((client, spoil) =>
        client.query<R>(query).catch((error: Error) => {
          spoil(error);
          throw error;
        }),
      ),
    );
  }

  /**
   * Runs `work` in one transaction; rolls back when it throws. After a deadlock that the server resolved
   * against it, it runs again: `work` may run more than once. After a DatabaseUnavailableError it may be committed.
   */
  async transaction<T>(work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
    return repeatIfVictim(() => this.transactOnce('BEGIN', work));
  }

  /**
   * This database for one tenant: statements read, change and add only that tenant's rows, and only in the
   * tables that requests use (row-level security; docs/accounts-internals.md, Tenant isolation). A statement takes
   * one round trip, and a transaction no more than without a tenant.
   */
  asTenant(tenantId: string): TenantDatabase {
    const scope = { tenantId, isReadOnly: false };
    return {
      query: (statement, values) => this.queryAs(scope, statement, values),
      transaction: (work) => this.transactAs(scope, work),
    };
  }

  /** The same for statements that only read; the database rejects others. */
  asReader(tenantId: string): Queries {
    const scope = { tenantId, isReadOnly: true };
    return { query: (statement, values) => this.queryAs(scope, statement, values) };
  }

  /** {@link query} within a scope. Prepared under another name, because a tenant's statement has another plan. */
  protected async queryAs<R extends pg.QueryResultRow>(
    scope: TenantScope,
    { name, text }: Statement,
    values: readonly unknown[] = [],
  ): Promise<R[]> {
    const within = { ...scope, role: await this.roleOfTenants() };
    const statement = { name: `tenant_${name}`, text, values: [...values] };
    return repeatIfVictim(() =>
      this.lend((client, spoil) =>
        queryScoped<R>(client, within, statement).catch((error: Error) => {
          // Not an error of the server: its late response must not be read as that of the next statement.
          if (sqlState(error) === '') spoil(error);
          throw error;
        }),
      ),
    );
  }

  /** {@link transaction} within a scope. */
  protected async transactAs<T>(
    scope: TenantScope,
    work: (tx: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    const begin = beginScoped({ ...scope, role: await this.roleOfTenants() });
    return repeatIfVictim(() => this.transactOnce(begin, work));
  }

  /** Read once. */
  private async roleOfTenants(): Promise<string> {
    this.tenantRole ??= readTenantRole(this.pool).catch((error: unknown) => {
      this.tenantRole = undefined;
      throw error;
    });
    return this.tenantRole;
  }

  private async transactOnce<T>(
    begin: string,
    work: (tx: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    return this.lend(async (client, spoil) => {
      try {
        await client.query(begin);
        noteTransaction(client, this.dataSource);
        const result = await work(client);
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch(spoil);
        throw error;
      }
    });
  }

  /**
   * Lends a connection and closes it afterwards if it is spoiled.
   * @throws DatabaseUnavailableError when none can be had in time, or it is lost meanwhile; errors of `work`
   */
  private async lend<T>(
    work: (client: pg.PoolClient, spoil: (error: Error) => void) => Promise<T>,
  ): Promise<T> {
    const client = await this.pool.connect().catch((cause: unknown) => {
      throw new DatabaseUnavailableError({ cause });
    });
    let broken: Error | undefined;
    let isLost = false;
    const spoil = (error: Error): void => {
      broken = error;
    };
    // The pool handles errors of idle connections only; one that breaks between two of our queries would
    // otherwise end the process.
    const lose = (error: Error): void => {
      isLost = true;
      spoil(error);
    };
    client.on('error', lose);
    try {
      return await work(client, spoil);
    } catch (cause) {
      throw isLost || isShutDown(cause) ? new DatabaseUnavailableError({ cause }) : cause;
    } finally {
      client.off('error', lose);
      client.release(broken);
    }
  }

  async ping(): Promise<void> {
    await this.pool.query('SELECT 1');
  }

  /** Database clock minus local clock, milliseconds, less half of the round trip. */
  async clockSkewMs(): Promise<number> {
    const sentAt = Date.now();
    const { rows } = await this.pool.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    const now = rows[0]?.now.getTime() ?? sentAt;
    return now - (sentAt + Date.now()) / 2;
  }

  poolCounts(): { readonly total: number; readonly idle: number; readonly waiting: number } {
    if (!this.dataSource.isInitialized) return { total: 0, idle: 0, waiting: 0 };
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { total: totalCount, idle: idleCount, waiting: waitingCount };
  }

  async close(): Promise<void> {
    await this.connecting?.catch(() => undefined);
    if (this.dataSource.isInitialized) await this.dataSource.destroy();
  }

  private get pool(): pg.Pool {
    if (!this.dataSource.isInitialized) throw new DatabaseUnavailableError();
    return (this.dataSource.driver as PostgresDriver).master as pg.Pool;
  }
}

/** Classes with `@Entity()` that this process has loaded. */
function declaredEntities(): Function[] {
  return getMetadataArgsStorage()
    .tables.map(({ target }) => target)
    .filter((target) => typeof target === 'function');
}
