import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  deleteSchema,
  findSchema,
  listSchemas,
  MAX_SAVED_SCHEMAS,
  saveSchema,
} from '@app/requests';
import type { Tenant } from '@app/accounts';
import { notice, noticeIn, problem } from '../html/notice.js';
import type { Piece } from '../html/html.js';
import { formValues } from '../http/form-body.js';
import { isRecord } from '../http/one-time-notes.js';
import { goTo, signedInOf, tenantSignedIn } from '../http/signed-in.js';
import { changedRows, readForm } from '../playground/read-form.js';
import { fieldsIn, fieldText, type Fields } from '../results/read-result.js';
import type { DashboardServices } from '../services.js';
import {
  pageValues,
  MAX_FIELD_NAME_CHARS,
  schemaRows,
  SCHEMA_ROWS,
  schemaOf,
  type PageValue,
  type SchemaRow,
} from './schema-fields.js';
import {
  pageValuesIn,
  MAX_TRIED,
  refusedWith,
  schemaListPage,
  schemaPage,
  SCHEMAS,
  type SchemaForm,
  type TriedPage,
} from './schema.page.js';

/** The values of an example page travel with the form. */
const MAX_FORM_BYTES = 100_000;
/** Of a response: reading a larger one would keep the process from others. */
const MAX_READ_CHARS = 1_000_000;

/** Schemas of what to extract: built field by field, tried on pages, saved by name. */
export function schemaRoutes(scope: FastifyInstance, services: DashboardServices): void {
  const { database } = services.runtime;
  const builder = new SchemaBuilder(services);
  scope.get(SCHEMAS, async (request, reply) => {
    const schemas = await listSchemas(database, tenantSignedIn(request).id);
    return services.pages.send(reply, schemaListPage(schemas, noticeIn(request.query)));
  });
  scope.get(`${SCHEMAS}/build`, (request, reply) => builder.open(request, reply));
  scope.post(`${SCHEMAS}/build`, { bodyLimit: MAX_FORM_BYTES }, (request, reply) =>
    builder.change(request, reply),
  );
}

/** What a button adds to the page. */
interface Outcome {
  readonly rows?: readonly SchemaRow[];
  readonly candidates?: readonly PageValue[];
  readonly tried?: readonly TriedPage[];
  readonly message?: Piece;
}

class SchemaBuilder {
  constructor(private readonly services: DashboardServices) {}

  async open(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { name, url } = request.query as { readonly name?: unknown; readonly url?: unknown };
    const { database } = this.services.runtime;
    const { id } = tenantSignedIn(request);
    const saved = typeof name === 'string' ? await findSchema(database, id, name) : null;
    const rows = saved === null ? [{}] : schemaRows(saved.schema);
    const example = typeof url === 'string' ? url : '';
    return this.show(reply, { name: saved?.name ?? '', rows, example, urls: [] });
  }

  async change(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const values = formValues(request);
    const form = formIn(values);
    const known = pageValuesIn(values.get('candidates') ?? '');
    const [action = '', ...rest] = (values.get('do') ?? '').split(' ');
    const tenant = tenantSignedIn(request);
    if (action === 'delete') {
      await deleteSchema(this.services.runtime.database, tenant.id, form.name);
      return goTo(reply, `${SCHEMAS}?done=schema-deleted`);
    }
    const outcome = await this.outcome(tenant, form, { action, rest: rest.join(' ') });
    return this.show(reply, form, { candidates: known, ...outcome });
  }

  private async outcome(
    tenant: Tenant,
    form: SchemaForm,
    { action, rest }: { readonly action: string; readonly rest: string },
  ): Promise<Outcome> {
    if (action === 'take') return { rows: [...form.rows.filter(isFilled), ...takenIn(rest)] };
    if (action === 'read') return this.read(tenant, form.example);
    try {
      const schema = schemaOf(form.rows.filter(isFilled));
      if (action === 'try') return await this.try(tenant, form, schema);
      if (action === 'save') return await this.save(tenant, form, schema);
      return {};
    } catch (error) {
      return { message: problem(error instanceof Error ? error.message : String(error)) };
    }
  }

  private async read(tenant: Tenant, url: string): Promise<Outcome> {
    const body = { url, formats: ['markdown', 'product'], onlyMainContent: true };
    const { status, result } = await this.call(tenant, '/v1/scrape', body);
    if (status >= 400) return { message: problem(refusedWith(result)) };
    const candidates = pageValues(result);
    const message = candidates.length === 0 && notice('The page states no values by name.');
    return { candidates, message };
  }

  /** @throws Error that says what to do */
  private async try(
    tenant: Tenant,
    { urls, example }: SchemaForm,
    schema: Fields,
  ): Promise<Outcome> {
    const pages = urls.length === 0 && example !== '' ? [example] : urls;
    if (pages.length === 0) throw new Error('Name a page to try it on.');
    if (pages.length > MAX_TRIED) throw new Error(`Try it on ${MAX_TRIED} pages at most.`);
    const { status, result } = await this.call(tenant, '/v1/extract', { urls: pages, schema });
    if (status >= 400) return { message: problem(refusedWith(result)) };
    const results = Array.isArray(result['results']) ? result['results'].filter(isRecord) : [];
    const tried = results.map((one) => ({
      url: fieldText(one, 'url') ?? '',
      data: isRecord(one['data']) ? one['data'] : null,
      error: one['ok'] === false ? (fieldText(one, 'error') ?? 'It failed.') : null,
    }));
    return { tried };
  }

  /** @throws Error that says what to do */
  private async save(tenant: Tenant, { name }: SchemaForm, schema: Fields): Promise<Outcome> {
    if (name === '') throw new Error('Give the schema a name.');
    if (!(await saveSchema(this.services.runtime.database, tenant.id, { name, schema })))
      throw new Error(`There are ${MAX_SAVED_SCHEMAS} schemas: delete one first.`);
    return { message: notice(`Saved as ${name}.`) };
  }

  private async call(
    tenant: Tenant,
    path: string,
    body: object,
  ): Promise<{ readonly status: number; readonly result: Fields }> {
    const { status, json } = await this.services.own.send(tenant, { path, body });
    if ((json?.length ?? 0) > MAX_READ_CHARS)
      return { status: 413, result: { error: 'The response is too large to be shown here.' } };
    return { status, result: fieldsIn(json) };
  }

  private show(
    reply: FastifyReply,
    form: SchemaForm,
    { rows = form.rows, candidates = [], tried = [], message }: Outcome = {},
  ): Promise<FastifyReply> {
    const session = signedInOf(reply.request);
    const shown = { ...form, rows };
    const schema = readable(rows.filter(isFilled));
    const page = schemaPage({ session, form: shown, schema, candidates, tried, message });
    return this.services.pages.send(reply, page);
  }
}

const isFilled = ({ name = '', about = '' }: SchemaRow): boolean => name !== '' || about !== '';

/** Null: the rows make no schema yet. */
function readable(rows: readonly SchemaRow[]): Fields | null {
  try {
    return rows.length === 0 ? null : schemaOf(rows);
  } catch {
    return null;
  }
}

function formIn(values: URLSearchParams): SchemaForm {
  const { body } = readForm([SCHEMA_ROWS], values);
  const change = values.get('rows');
  const changed = change === null ? body : changedRows(body, [SCHEMA_ROWS], change);
  const text = (name: string): string => (values.get(name) ?? '').trim();
  return {
    name: text('name').slice(0, MAX_FIELD_NAME_CHARS),
    rows: (changed['fields'] ?? []) as readonly SchemaRow[],
    example: text('example'),
    urls: text('urls')
      .split('\n')
      .flatMap((line) => line.trim() || []),
  };
}

/** The field that a button stands for. */
function takenIn(text: string): readonly SchemaRow[] {
  return pageValuesIn(`[${text}]`).map(({ name, type, about }) => ({ name, type, about }));
}
