import {
  QueryFailedError,
  type DataSource,
  type EntityTarget,
  type ObjectLiteral,
  type Repository,
} from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';
import type { Queryable } from './statement.js';

/**
 * The part of a repository for single statements. `save` and `remove` would begin transactions of their own.
 */
export type Rows<T extends ObjectLiteral> = Pick<
  Repository<T>,
  'find' | 'findBy' | 'findOne' | 'findOneBy' | 'insert' | 'update' | 'delete'
>;

/** Runs TypeORM's statements on a connection whose owner begins, commits and releases. */
class LentConnection extends PostgresQueryRunner {
  constructor({ driver }: DataSource, connection: Queryable) {
    super(driver as PostgresDriver, 'master');
    this.databaseConnection = connection;
    this.isTransactionActive = true;
  }

  /**
   * Fails with the server's error, as other statements do: TypeORM's error contains the values, which would get
   * into logs.
   */
  override async query(text: string, values?: unknown[], isStructured?: boolean): Promise<never> {
    try {
      return (await super.query(text, values, isStructured)) as never;
    } catch (error) {
      throw error instanceof QueryFailedError ? error.driverError : error;
    }
  }
}

export function rowsOn<T extends ObjectLiteral>(
  dataSource: DataSource,
  connection: Queryable,
  entity: EntityTarget<T>,
): Rows<T> {
  const runner = new LentConnection(dataSource, connection);
  return dataSource.createEntityManager(runner).getRepository(entity);
}

/** Connections of running transactions, with the entities of each. */
const inTransaction = new WeakMap<Queryable, DataSource>();

export function noteTransaction(tx: Queryable, dataSource: DataSource): void {
  inTransaction.set(tx, dataSource);
}

/** The rows of an entity as part of a transaction. */
export function rowsIn<T extends ObjectLiteral>(tx: Queryable, entity: EntityTarget<T>): Rows<T> {
  const dataSource = inTransaction.get(tx);
  if (!dataSource) throw new Error('these statements are part of no transaction');
  return rowsOn(dataSource, tx, entity);
}
