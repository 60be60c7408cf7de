import { newId } from '@app/contracts';
import type { Database, Statement, TenantData } from '@app/database';
import type { Logger } from '@app/telemetry';

/** How long a request is listed. */
export const KEPT_DAYS = 30;
/** Of one tenant; older ones go. */
export const MAX_KEPT = 5_000;
/** Of one tenant, in one process: a flood is cut here, not in the table. */
export const MAX_PER_SECOND = 10;
/** Requests of all tenants that wait to be written. */
const MAX_WAITING = 5_000;
const WRITE_EVERY_MS = 1_000;
/** Requests of a tenant after which its older ones are counted. */
const TRIM_AFTER = 500;
const MAX_PATH_CHARS = 300;
/** Of a filled form as JSON; a longer one is not kept. */
const MAX_FORM_CHARS = 8_000;

/** A request of the API that has been answered. */
export interface LoggedRequest {
  readonly tenantId: string;
  /** As the response and the log of the service have it. */
  readonly requestId: string;
  /** Null: sent by the account page. */
  readonly keyId: string | null;
  /** Of the playground: where its form and result are. */
  readonly runId: string | null;
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly status: number;
  /** Null: nothing was charged. */
  readonly credits: number | null;
  readonly ms: number;
  /** Of the playground: the endpoint and what was filled in, without secrets. */
  readonly form: FilledForm | null;
}

/** A form of the playground as it was sent. */
export interface FilledForm {
  readonly endpoint: string;
  readonly request: Readonly<Record<string, unknown>>;
}

const INSERT: Statement = {
  name: 'log_requests',
  text: `
    INSERT INTO request_log (id, tenant_id, at, request_id, key_id, run_id, method, path, status, credits, ms, form)
    SELECT r.* FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::uuid[], $6::uuid[], $7::text[],
        $8::text[], $9::int[], $10::int[], $11::int[], $12::json[])
      AS r (id, tenant_id, at, request_id, key_id, run_id, method, path, status, credits, ms, form)
    WHERE EXISTS (SELECT 1 FROM tenants t WHERE t.id = r.tenant_id)`,
};

const TRIM: Statement = {
  name: 'trim_requests',
  text: `
    DELETE FROM request_log r USING unnest($1::uuid[]) AS t (id)
    WHERE r.tenant_id = t.id AND r.id <= (
      SELECT l.id FROM request_log l WHERE l.tenant_id = t.id ORDER BY l.id DESC OFFSET $2 LIMIT 1)`,
};

interface Waiting extends LoggedRequest {
  readonly id: string;
  readonly at: Date;
}

/**
 * What was requested, for the account page. It is no truth: a process that dies loses the last second of it, a tenant that
 * floods has ten a second in it, and a database that does not answer costs nothing but the list.
 */
export class RequestHistory {
  private waiting: Waiting[] = [];
  /** Requests of this second, by tenant. */
  private readonly noted = new Map<string, number>();
  /** Requests since the last trim, by tenant. */
  private readonly untrimmed = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly runtime: { readonly database: Database; readonly log: Logger }) {}

  note(request: LoggedRequest): void {
    const { tenantId, path } = request;
    const count = this.noted.get(tenantId) ?? 0;
    if (count >= MAX_PER_SECOND || this.waiting.length >= MAX_WAITING) return;
    this.noted.set(tenantId, count + 1);
    this.untrimmed.set(tenantId, (this.untrimmed.get(tenantId) ?? 0) + 1);
    const at = new Date();
    this.waiting.push({ ...request, id: newId(), at, path: path.slice(0, MAX_PATH_CHARS) });
    this.timer ??= setTimeout(() => this.write(), WRITE_EVERY_MS).unref();
  }

  /** Writes what waits; a stopping process leaves nothing behind. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    this.write();
    await this.writing;
  }

  /** One statement after the other: a slow database must not have many of them. */
  private write(): void {
    this.writing = this.writing.then(async () => {
      this.timer = undefined;
      const rows = this.waiting;
      this.waiting = [];
      this.noted.clear();
      if (rows.length > 0) await this.store(rows);
    });
  }

  private async store(rows: readonly Waiting[]): Promise<void> {
    const { database, log } = this.runtime;
    const column = <Name extends keyof Waiting>(name: Name) => rows.map((row) => row[name]);
    try {
      await database.query(INSERT, [
        ...[column('id'), column('tenantId'), column('at'), column('requestId'), column('keyId')],
        ...[column('runId'), column('method'), column('path'), column('status'), column('credits')],
        ...[column('ms'), rows.map(({ form }) => formText(form))],
      ]);
      const due = [...this.untrimmed].flatMap(([id, count]) => (count < TRIM_AFTER ? [] : [id]));
      for (const id of due) this.untrimmed.delete(id);
      if (due.length > 0) await database.query(TRIM, [due, MAX_KEPT]);
    } catch (err) {
      log.warn(
        { err, requests: rows.length },
        'requests are missing in the list of the account page',
      );
    }
  }
}

function formText(form: FilledForm | null): string | null {
  const text = form === null ? null : JSON.stringify(form);
  return text !== null && text.length <= MAX_FORM_CHARS ? text : null;
}

/** A request as it is listed. */
export interface ShownRequest extends Omit<LoggedRequest, 'form'> {
  readonly id: string;
  readonly at: Date;
  /** Of its key. */
  readonly label: string | null;
}

const RECENT: Statement = {
  name: 'recent_requests',
  text: `
    SELECT r.id, r.tenant_id AS "tenantId", r.at, r.request_id AS "requestId", r.key_id AS "keyId", r.run_id AS "runId",
      r.method, r.path, r.status, r.credits, r.ms, k.label
    FROM request_log r LEFT JOIN api_keys k ON k.id = r.key_id
    WHERE r.tenant_id = $1 AND ($2::uuid IS NULL OR r.id < $2) AND (NOT $3 OR r.run_id IS NOT NULL)
    ORDER BY r.id DESC LIMIT $4`,
};

export interface RequestQuery {
  readonly limit: number;
  /** Only requests before this one. */
  readonly before?: string;
  /** Only those of the playground. @default false */
  readonly isRun?: boolean;
}

/** The newest requests of a tenant, newest first. */
export function recentRequests(
  database: Database,
  tenantId: string,
  { limit, before, isRun = false }: RequestQuery,
): Promise<readonly ShownRequest[]> {
  const values = [tenantId, before ?? null, isRun, limit];
  return database.asTenant(tenantId).query<ShownRequest & Record<string, unknown>>(RECENT, values);
}

const FORM: Statement = {
  name: 'find_request_form',
  text: `SELECT form FROM request_log WHERE tenant_id = $1 AND run_id = $2 AND form IS NOT NULL LIMIT 1`,
};

/** What was filled in to the form of a run; null: it is not known, or no longer. */
export async function findForm(
  database: Database,
  tenantId: string,
  runId: string,
): Promise<FilledForm | null> {
  const [row] = await database
    .asTenant(tenantId)
    .query<{ form: FilledForm }>(FORM, [tenantId, runId]);
  return row?.form ?? null;
}

const SWEEP: Statement = {
  name: 'sweep_requests',
  text: `
    DELETE FROM request_log WHERE id = ANY (ARRAY (
      SELECT id FROM request_log WHERE at < $1::timestamptz ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING 1`,
};

/** Forgets at most `limit` requests that are too old to be listed. Returns how many. */
export async function sweepRequests(
  database: Database,
  { limit, now = new Date() }: { readonly limit: number; readonly now?: Date },
): Promise<number> {
  const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000);
  return (await database.query(SWEEP, [before, limit])).length;
}

const ERASE: Statement = {
  name: 'delete_requests_of_tenant',
  text: `
    DELETE FROM request_log WHERE tenant_id = $1 AND id = ANY (ARRAY (
      SELECT id FROM request_log WHERE tenant_id = $1 AND at <= $2 LIMIT $3))
    RETURNING 1`,
};

/** Forgets what a tenant requested. Returns how many: `limit` may mean more. */
export async function deleteTenantRequests(
  database: Database,
  { tenantId, until, limit }: TenantData,
): Promise<number> {
  return (await database.query(ERASE, [tenantId, until, limit])).length;
}
