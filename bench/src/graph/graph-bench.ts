// The company graph at size: lookups, queries and write-through. See ../../README.md.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Database } from '@app/database';
import {
  queryBusinesses,
  resolveBusiness,
  writeObservations,
  type Fact,
  type Observation,
} from '@app/graph';
import { listeningPid, projectRoot, UsageMeter } from '@app/testing';
import {
  EVIDENCE_PER_BUSINESS,
  fillGraph,
  TECHNOLOGIES,
} from '../../../libs/graph/test/fill-graph.js';
import { runSql, variable } from '../contenders/cluster-services.js';
import { keepResults } from '../keep-results.js';
import { percentile } from '../percentile.js';
import { wholeFlag } from '../whole-flag.js';

/** Calls of each kind before the clock runs. */
const WARM_CALLS = 200;
const STATES = ['CA', 'TX', 'NY', 'FL', 'AL', 'WY'];

interface Kind {
  readonly name: string;
  run(at: number): Promise<unknown>;
}

interface Measured {
  readonly name: string;
  readonly p50: number;
  readonly p95: number;
  /** Of this process and of the server, for each call. */
  readonly cpuMs: number;
}

/** Fills a graph, then measures each kind of call, one after the other. A database that is named is kept, and filled once. */
export async function graphBench(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      suite: { type: 'string' },
      businesses: { type: 'string', default: '100000' },
      calls: { type: 'string', default: '1000' },
      database: { type: 'string' },
    },
  });
  const businesses = wholeFlag('businesses', values.businesses, 1_000);
  const calls = wholeFlag('calls', values.calls, 1);
  const server = variable('TEST_DATABASE_URL');
  const name = values.database ?? `trawl_graph_${process.pid}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  const isFilled =
    (await runSql(server, `SELECT FROM pg_database WHERE datname = '${name}'`)) === 1;
  let isKept = isFilled;
  if (!isFilled) await runSql(server, `CREATE DATABASE "${name}"`);
  const database = new Database({ url: url.href, poolSize: 4, applicationName: 'graph' });
  try {
    await database.connect();
    await database.migrate();
    if (!isFilled) await fill(url.href, businesses);
    isKept = values.database !== undefined;
    console.log(await sizes(database));
    const results: Measured[] = [];
    for (const kind of kindsOf(database, businesses)) {
      results.push(await measure(kind, calls));
      console.log(lineOf(results.at(-1)));
    }
    const folder = path.join(projectRoot(), '.cache/bench');
    await mkdir(folder, { recursive: true });
    await keepResults({ suite: 'graph', businesses, calls, results }, folder, 'graph-');
  } finally {
    await database.close();
    if (!isKept) await runSql(server, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  }
}

/** All statements on one connection: settings of the session hold for the rest. */
async function fill(url: string, businesses: number): Promise<void> {
  const startedAt = performance.now();
  await runSql(url, ...fillGraph(businesses));
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const rows = businesses * EVIDENCE_PER_BUSINESS;
  console.log(`${businesses} businesses with ${rows} rows of evidence filled in ${seconds} s`);
}

async function sizes(database: Database): Promise<string> {
  const text = `SELECT string_agg(relname || ' ' || pg_size_pretty(pg_total_relation_size(oid)), ', ' ORDER BY relname) AS text
    FROM pg_class WHERE relname IN ('businesses', 'business_evidence', 'business_keys')`;
  const [row] = await database.query<{ text: string }>({ name: 'bench_sizes', text });
  return row?.text ?? '';
}

function kindsOf(database: Database, businesses: number): readonly Kind[] {
  /** Companies that an earlier run on the same database did not write. */
  const unknown = businesses + (process.pid % 5_000) * 100_000;
  /** Spread over all, the same in each run. */
  const some = (at: number): number => 1 + ((at * 7_919_993 + 12_345) % businesses);
  const query = (criteria: object) =>
    queryBusinesses(
      database,
      { tech: [], techAny: [], notTech: [], ...criteria },
      { limit: 50, after: null },
    );
  const techOf = (at: number): string => `Tech ${(at * 37) % TECHNOLOGIES}`;
  const stateOf = (at: number): string => STATES[at % STATES.length] ?? '';
  return [
    {
      name: 'resolve by domain',
      run: (at) => resolveBusiness(database, { domain: `firm${some(at)}.com` }),
    },
    {
      name: 'resolve by phone',
      run: (at) => resolveBusiness(database, { phone: `+1${2_000_000_000 + some(at)}` }),
    },
    {
      name: 'resolve by name',
      run: (at) => resolveBusiness(database, { name: `Firm ${some(at)} LLC` }),
    },
    {
      name: 'query by technology and state',
      run: (at) => query({ tech: [techOf(at)], state: stateOf(at) }),
    },
    {
      name: 'query by two technologies',
      run: (at) => query({ tech: [techOf(at), techOf(at + 11)] }),
    },
    {
      name: 'query by industry and city',
      run: (at) => query({ industry: String(10 + (at % 80)), city: `City ${at % 300}` }),
    },
    {
      name: 'write-through, known company',
      run: (at) => writeObservations(database, [reading(some(at), at)], { tenantId: null }),
    },
    {
      name: 'write-through, new company',
      run: (at) => writeObservations(database, [reading(unknown + at, at)], { tenantId: null }),
    },
  ];
}

/** What the enrichment of a site states: 14 facts. */
function reading(number: number, at: number): Observation {
  const domain = `firm${number}.com`;
  const values: Readonly<Record<string, unknown>> = {
    ...{ domain, name: `Firm ${number} Inc`, description: `About Firm ${number}, again` },
    ...{ phone: `+1${2_000_000_000 + number}`, logo: `https://${domain}/logo.svg` },
    location: { city: 'Austin', state: 'TX', zip: String(70_000 + (number % 9_999)) },
    industry: { naics: '621210', title: 'Offices of Dentists' },
    linkedin: `https://www.linkedin.com/company/firm-${number}`,
  };
  const facts = [
    ...Object.entries(values),
    ...Array.from({ length: 6 }, (_, tech) => ['tech', `Tech ${(at + tech * 31) % TECHNOLOGIES}`]),
  ].map(([field, value]) => ({ field, value, confidence: 0.8, url: `https://${domain}/` }) as Fact);
  return { source: 'enrich', seenAt: new Date('2026-03-01'), site: domain, facts };
}

async function measure({ name, run }: Kind, calls: number): Promise<Measured> {
  for (let at = 0; at < WARM_CALLS; at++) await run(at + calls);
  const pid = listeningPid(Number(new URL(variable('TEST_DATABASE_URL')).port || 5_432));
  const meter = UsageMeter.start({
    bench: [process.pid],
    ...(pid === null ? {} : { postgres: [pid] }),
  });
  const times: number[] = [];
  for (let at = 0; at < calls; at++) {
    const startedAt = performance.now();
    await run(at);
    times.push(performance.now() - startedAt);
  }
  const { totalCpuMs } = meter.stop();
  const of = (percent: number): number => percentile(times, percent) ?? NaN;
  return { name, p50: of(50), p95: of(95), cpuMs: totalCpuMs / calls };
}

function lineOf(measured: Measured | undefined): string {
  if (!measured) return '';
  const { name, p50, p95, cpuMs } = measured;
  const cells = [p50, p95, cpuMs].map((ms) => ms.toFixed(2).padStart(9));
  return `${name.padEnd(34)} p50 ${cells[0]} ms  p95 ${cells[1]} ms  CPU ${cells[2]} ms`;
}
