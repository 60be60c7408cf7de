import pg from 'pg';
import type { Queryable, Statement } from '../statement.js';

/**
 * Privileges by table, sequence or function with its arguments, as in a GRANT: 'SELECT', 'UPDATE (name)', 'USAGE',
 * 'EXECUTE'. One column per privilege.
 */
export type Grants = Readonly<Record<string, readonly string[]>>;

/** The role, and the schema of the tables. */
export interface Grantee {
  readonly role: string;
  readonly schema: string;
}

/** The wanted rights that the role lacks, as in a GRANT. */
const MISSING: Statement = {
  name: 'missing_grants',
  text: `
    SELECT wanted.object, wanted.privilege, wanted.kind FROM (
      SELECT object, privilege, split_part(privilege, ' ', 1) AS kind, substring(privilege FROM '\\((.*)\\)') AS part
      FROM unnest($2::text[], $3::text[]) AS t (object, privilege)) wanted
    WHERE NOT CASE WHEN kind = 'USAGE' THEN has_sequence_privilege($1::name, object, kind)
                   WHEN kind = 'EXECUTE' THEN has_function_privilege($1::name, object, kind)
                   WHEN part IS NULL THEN has_table_privilege($1::name, object, kind)
                   ELSE has_column_privilege($1::name, object, part, kind) END`,
};
const MAY_ENTER: Statement = {
  name: 'may_enter_schema',
  text: `SELECT has_schema_privilege($1::name, $2::text, 'USAGE') AS "isGranted"`,
};

interface MissingRow {
  readonly object: string;
  readonly privilege: string;
  readonly kind: string;
}

/** By the only privilege of such an object; the others are tables. */
const OBJECT_TYPES: Readonly<Record<string, string>> = {
  USAGE: 'SEQUENCE ',
  EXECUTE: 'FUNCTION ',
};

/** Grants a role those of these rights that it lacks. */
export async function grantRights(
  tx: Queryable,
  { role, schema }: Grantee,
  wanted: Grants,
): Promise<void> {
  const to = `TO ${pg.escapeIdentifier(role)}`;
  const entry = await tx.query<{ isGranted: boolean }>({ ...MAY_ENTER, values: [role, schema] });
  const flat = Object.entries(wanted).flatMap(([object, privileges]) =>
    privileges.map((privilege) => ({ object, privilege })),
  );
  const { rows } = await tx.query<MissingRow>({
    ...MISSING,
    values: [role, flat.map(({ object }) => object), flat.map(({ privilege }) => privilege)],
  });
  const grants = rows.map(
    ({ object, privilege, kind }) =>
      `GRANT ${privilege} ON ${OBJECT_TYPES[kind] ?? ''}${object} ${to}`,
  );
  if (entry.rows[0]?.isGranted !== true)
    grants.unshift(`GRANT USAGE ON SCHEMA ${pg.escapeIdentifier(schema)} ${to}`);
  if (grants.length > 0) await tx.query(grants.join('; '));
}
