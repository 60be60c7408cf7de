import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Database } from '@app/database';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { resolveBusiness } from '../lookup/resolve-business.js';
import { exportBusinesses, graphStats, rebuildGraph } from '../store/graph-upkeep.js';
import { importFile, type ImportProgress, type ImportReject } from './import-file.js';
import { parseImportMap, READY_MAPS, type ImportMap } from './import-map.js';

let fresh: FreshDatabase;
let database: Database;
let folder: string;

beforeAll(async () => {
  fresh = await openFreshDatabase();
  ({ database } = fresh);
  folder = await mkdtemp(path.join(tmpdir(), 'graph-import-'));
});
afterAll(async () => {
  await fresh?.drop();
  await rm(folder, { recursive: true });
});
afterEach(() =>
  database.query({ name: 'clear_graph', text: 'TRUNCATE businesses, business_imports CASCADE' }),
);

const MAP = parseImportMap({
  source: 'list',
  country: 'US',
  fields: {
    name: 'Name',
    city: 'City',
    state: 'State',
    zip: 'Zip',
    phone: 'Phone',
    website: 'Web',
    license: 'No',
  },
});

async function run(
  name: string,
  text: string,
  map: ImportMap = MAP,
): Promise<ImportProgress & { readonly rejects: readonly ImportReject[] }> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  const rejects: ImportReject[] = [];
  const terms = { map, seenAt: new Date('2026-03-01T00:00:00Z'), findsSimilarNames: false };
  const progress = await importFile(database, file, {
    ...terms,
    onReject: (one) => rejects.push(one),
  });
  return { ...progress, rejects };
}

const HEAD = 'Name,City,State,Zip,Phone,Web,No\n';

describe('importFile', () => {
  it('writes rows of CSV, and names those that it rejects with line and reason', async () => {
    const result = await run(
      'a.csv',
      `\ufeff${HEAD}"Acme, Inc.",Austin,Texas,78701,(512) 543-0100,https://www.acme.com/x,A-1\r\n` +
        `,Austin,TX,78701,,,\nOnly Name,,,,,,\n"Bee ""B"" Plumbing",Dallas,TX,75201,,facebook.com/bee,\n!!!,X,TX,1,,,\n`,
    );
    expect(result).toMatchObject({ written: 2, created: 2, rejected: 3, line: 6 });
    expect(result.rejects).toEqual([
      { line: 3, reason: 'no name' },
      { line: 4, reason: 'a name alone identifies no business' },
      { line: 6, reason: 'the name has no letters or digits' },
    ]);
    expect(await resolveBusiness(database, { license: 'TX:A1' })).toMatchObject({
      business: { name: 'Acme, Inc.', domain: 'acme.com', phone: '+15125430100' },
    });
    const bee = await resolveBusiness(database, { name: 'Bee B Plumbing', zip: '75201' });
    expect(bee).toMatchObject({ business: { name: 'Bee "B" Plumbing' } });
    expect(bee).not.toHaveProperty('business.domain');
  });

  it('writes NDJSON, with paths into its objects', async () => {
    const map = parseImportMap({
      source: 'nd',
      fields: { name: 'org.name', zip: ['org.zip', 'zip'], uei: 'id' },
    });
    const lines = [
      { org: { name: 'Acme', zip: 78701 }, id: 'abc1' },
      { org: { name: 'Bee' }, zip: '1' },
    ];
    const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n[1]\nnot json\n`;
    const result = await run('a.ndjson', text, map);
    expect(result).toMatchObject({ written: 2, rejected: 2 });
    expect(result.rejects.map(({ reason }) => reason)).toEqual(['not a JSON object', 'not JSON']);
    expect(await resolveBusiness(database, { uei: 'ABC1' })).toMatchObject({ resolvedBy: 'uei' });
  });

  it('changes nothing when the same file is imported again', async () => {
    const rows = Array.from(
      { length: 1_200 },
      (_, at) => `Firm ${at},Austin,TX,${70_000 + at},,,${at}\n`,
    );
    const text = HEAD + rows.join('');
    expect(await run('b.csv', text)).toMatchObject({ written: 1_200, created: 1_200 });
    const before = await graphStats(database);
    expect(await run('b.csv', text)).toMatchObject({ written: 1_200, created: 0 });
    expect(await graphStats(database)).toEqual(before);
    expect(await rebuildGraph(database)).toEqual({ businesses: 1_200, changed: 0 });
    const exported = await Array.fromAsync(exportBusinesses(database));
    expect(new Set(exported.map(({ record }) => record.name)).size).toBe(1_200);
  });

  it('goes on after the last batch of an import that was interrupted', async () => {
    const rows = Array.from(
      { length: 1_200 },
      (_, at) => `Firm ${at},Austin,TX,${70_000 + at},,,${at}\n`,
    );
    const file = path.join(folder, 'c.csv');
    await writeFile(file, HEAD + rows.join(''));
    const terms = {
      map: MAP,
      seenAt: new Date(),
      findsSimilarNames: false,
      onReject: () => undefined,
    };
    let batches = 0;
    const onProgress = (): void => {
      batches += 1;
      if (batches === 2) throw new Error('interrupted');
    };
    await expect(importFile(database, file, { ...terms, onProgress })).rejects.toThrow(
      'interrupted',
    );
    const rest = await importFile(database, file, terms);
    expect(rest.written).toBe(700);
    expect((await graphStats(database)).businesses).toBe(1_200);
    expect(await importFile(database, file, terms)).toMatchObject({ written: 1_200, created: 0 });
  });
});

describe('ready maps', () => {
  it.each(Object.keys(READY_MAPS))('%s is valid', (name) => {
    expect(parseImportMap(READY_MAPS[name])).toMatchObject({ source: name });
  });

  it('gleif selects active entities', async () => {
    const head =
      'Entity.LegalName,Entity.HeadquartersAddress.City,Entity.HeadquartersAddress.Region,Entity.HeadquartersAddress.PostalCode,Entity.HeadquartersAddress.Country,Entity.EntityStatus\n';
    const text = `${head}ACME GMBH,Berlin,DE-BE,10115,DE,ACTIVE\nOLD GMBH,Berlin,DE-BE,10115,DE,INACTIVE\n`;
    const result = await run('g.csv', text, parseImportMap(READY_MAPS['gleif']));
    expect(result).toMatchObject({ written: 1, skipped: 1 });
    expect(await resolveBusiness(database, { name: 'Acme', zip: '10115' })).toMatchObject({
      business: { location: { city: 'Berlin', country: 'DE' } },
    });
  });

  it.each<[unknown, string]>([
    [{}, 'source'],
    [{ source: 'A B', fields: { name: 'x' } }, 'source'],
    [{ source: 'a', fields: { name: 'x', colour: 'y' } }, 'fields'],
    [{ source: 'a', fields: { name: 'x' }, confidence: 2 }, 'confidence'],
  ])('%j is refused by the name of its field', (map, field) => {
    expect(() => parseImportMap(map)).toThrow(field);
  });
});
