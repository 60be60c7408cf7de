import { globSync } from 'node:fs';
import path from 'node:path';
import { DataSource, getMetadataArgsStorage, type EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { freshMigratedDatabase, type Fresh } from '../../../test/setup/test-servers.js';

const LIBS = path.resolve(__dirname, '../..');
const FILES = globSync('*/src/**/*.entity.ts', { cwd: LIBS }).sort();

const COLUMNS = `
  SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, NOT a.attnotnull AS "isNullable",
    EXISTS (SELECT FROM pg_constraint WHERE conrelid = a.attrelid AND contype = 'p' AND a.attnum = ANY (conkey)) AS "isPrimary",
    pg_get_expr(d.adbin, d.adrelid) AS default
  FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE a.attrelid = $1::regclass AND a.attnum > 0 ORDER BY a.attname`;

interface TableColumn {
  readonly name: string;
  readonly default: string | null;
}

/** Without its quotes and its type, whose notation differs. */
function plainDefault(text: string | null | undefined): string | null {
  return text?.replace(/::\w+$/, '').replaceAll("'", '') ?? null;
}

describe('the entities', () => {
  let database: Fresh;
  let source: DataSource;
  beforeAll(async () => {
    for (const file of FILES) await import(path.join(LIBS, file));
    const entities = getMetadataArgsStorage().tables.map(({ target }) => target as Function);
    database = await freshMigratedDatabase();
    source = await new DataSource({ type: 'postgres', url: database.url, entities }).initialize();
  });
  afterAll(async () => {
    await source?.destroy();
    await database?.drop();
  });

  const declared = (column: ColumnMetadata) => ({
    name: column.databaseName,
    type: source.driver.normalizeType(column),
    isNullable: column.isNullable,
    isPrimary: column.isPrimary,
    default: plainDefault(source.driver.normalizeDefault(column)),
  });
  const inTable = async ({ tableName, columns }: EntityMetadata) => {
    const rows = await source.query<TableColumn[]>(COLUMNS, [tableName]);
    return rows
      .filter(({ name }) => columns.some(({ databaseName }) => databaseName === name))
      .map((row) => ({ ...row, default: plainDefault(row.default) }));
  };

  it('are found, one in each file', () => {
    expect(FILES.length).toBeGreaterThan(5);
    expect(source.entityMetadatas).toHaveLength(FILES.length);
  });

  it('have columns as their tables have them', async () => {
    for (const entity of source.entityMetadatas) {
      const columns = entity.columns.map(declared);
      const sorted = columns.sort((one, other) => (one.name < other.name ? -1 : 1));
      expect({ [entity.tableName]: sorted }).toEqual({ [entity.tableName]: await inTable(entity) });
    }
  });
});
