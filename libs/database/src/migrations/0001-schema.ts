import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ACCOUNTS } from './0001-schema/accounts.js';
import { BILLING } from './0001-schema/billing.js';
import { COMPANIES } from './0001-schema/companies.js';
import { CREDITS } from './0001-schema/credits.js';
import { FETCH_MEMORY } from './0001-schema/fetch-memory.js';
import { JOBS } from './0001-schema/jobs.js';
import { LIMIT_FUNCTIONS } from './0001-schema/limit-functions.js';
import { LIMITS } from './0001-schema/limits.js';
import { PAGES } from './0001-schema/pages.js';
import { TENANT_ISOLATION } from './0001-schema/tenant-isolation.js';
import { WEBHOOKS } from './0001-schema/webhooks.js';

/** In an order that references allow. */
const SUBJECTS = [
  ...[ACCOUNTS, BILLING, CREDITS, LIMITS, LIMIT_FUNCTIONS],
  ...[JOBS, PAGES, WEBHOOKS, FETCH_MEMORY, COMPANIES, TENANT_ISOLATION],
];

/** The whole schema, by subject. `__snapshots__` shows the result of it and of later migrations. */
export class Schema1732180000001 implements MigrationInterface {
  name = 'Schema1732180000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statements of SUBJECTS) await runner.query(statements);
  }

  down(): Promise<void> {
    return Promise.reject(
      new Error('Nothing comes before the schema: drop the database to start again.'),
    );
  }
}
