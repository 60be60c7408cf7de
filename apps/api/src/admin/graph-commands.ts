import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { recordAdminAct, isEmail } from '@app/accounts';
import { isId } from '@app/contracts';
import {
  companyDomain,
  exportBusinesses,
  findBusinessByDomain,
  graphStats,
  joinBusinesses,
  importFile,
  listMerges,
  parseImportMap,
  READY_MAPS,
  rebuildGraph,
  splitMerge,
  forgetCompany,
  optOutHash,
  type ImportMap,
  type OptOut,
} from '@app/graph';
import { AdminProblem, UsageProblem } from './admin-problem.js';
import type { AdminContext, Command, Input, Report } from './command.js';
import { fieldsText, tableText } from './table-text.js';

/** Deletes a company or an address, and blocks it from being stored again. */
async function forgetByDomainOrAddress(
  { database, actor }: AdminContext,
  { args }: Input,
): Promise<Report> {
  const target = targetOf(args[0] ?? '');
  const forgotten = await database.transaction(async (tx) => {
    const businesses = await forgetCompany(tx, target);
    // The audit log is never erased, so it gets neither domain nor address.
    const details = { kind: target.kind, hash: optOutHash(target).toString('hex'), businesses };
    await recordAdminAct(tx, { actor, act: 'graph.forget', tenantId: null, details });
    return businesses;
  });
  return {
    value: { ...target, forgotten },
    text: fieldsText({ ...target, 'businesses changed': forgotten }),
  };
}

/** An e-mail address, or a domain in any spelling that the graph accepts. @throws UsageProblem */
function targetOf(text: string): OptOut {
  if (isEmail(text)) return { kind: 'email', email: text };
  const domain = hostOf(text);
  if (domain !== null && domain.includes('.')) return { kind: 'domain', domain };
  throw new UsageProblem(
    `${JSON.stringify(text)} is neither a domain such as example.com nor an e-mail address`,
  );
}

/** Without protocol, `www.` and port. */
function hostOf(text: string): string | null {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `http://${text}`);
  return url === null ? null : url.hostname.replace(/^www\./, '');
}

export const GRAPH_COMMANDS = {
  'graph import': {
    args: ['file'],
    options: ['map', 'rejects', 'names'],
    help: 'writes a CSV or NDJSON file to the company graph; --map gleif, sam, license or a JSON file; --names similar; --rejects FILE',
    run: importGraph,
  },
  'graph export': {
    args: ['file'],
    options: [],
    help: 'writes all businesses of the company graph to an NDJSON file',
    run: exportGraph,
  },
  'graph forget': {
    args: ['domain|address'],
    options: [],
    help: 'deletes the stored data of a company or an e-mail address, and blocks it from being stored again',
    run: forgetByDomainOrAddress,
  },
  'graph merges': {
    args: ['domain|all'],
    options: ['limit'],
    help: 'lists the latest merges of businesses with their reasons',
    run: merges,
  },
  'graph join': {
    args: ['domain|id', 'other'],
    options: [],
    help: 'says that two businesses are one: records of two domains are never joined by themselves',
    run: join,
  },
  'graph split': {
    args: ['merge'],
    options: [],
    help: 'ends a wrong merge: both businesses have their own evidence again, and are not merged by themselves again',
    run: split,
  },
  'graph rebuild': {
    args: [],
    options: [],
    help: 'derives all records of the company graph anew from their evidence',
    run: rebuild,
  },
  'graph stats': {
    args: [],
    options: [],
    help: 'counts businesses, evidence, merges and opt-outs',
    run: stats,
  },
} as const satisfies Record<string, Command>;

const SHOWN_REJECTS = 10;

async function importGraph(
  { database, actor, say }: AdminContext,
  { args, options }: Input,
): Promise<Report> {
  const file = args[0] ?? '';
  if (!existsSync(file)) throw new UsageProblem(`there is no file ${file}`);
  const map = mapOf(options.map);
  if (options.names !== undefined && options.names !== 'similar')
    throw new UsageProblem('--names must be similar');
  const rejects = options.rejects === undefined ? null : createWriteStream(options.rejects);
  let shown = 0;
  const progress = await importFile(database, file, {
    map,
    seenAt: new Date(),
    findsSimilarNames: options.names === 'similar',
    onReject: (reject) => {
      rejects?.write(`${JSON.stringify(reject)}\n`);
      shown += 1;
      if (shown <= SHOWN_REJECTS) say(`line ${reject.line}: ${reject.reason}`);
    },
    onProgress: ({ line, written, rejected }) =>
      say(`line ${line}: ${written} written, ${rejected} rejected`),
  });
  rejects?.end();
  if (rejects) await finished(rejects);
  const details = { source: map.source, ...progress };
  await database.transaction((tx) =>
    recordAdminAct(tx, { actor, act: 'graph.import', tenantId: null, details }),
  );
  return { value: details, text: fieldsText(details) };
}

/** @throws UsageProblem */
function mapOf(text: string | undefined): ImportMap {
  const names = Object.keys(READY_MAPS).join(', ');
  if (text === undefined) throw new UsageProblem(`--map is missing: ${names} or a JSON file`);
  try {
    const ready = READY_MAPS[text];
    return parseImportMap(ready ?? JSON.parse(readFileSync(text, 'utf8')));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageProblem(`--map ${text}: ${why}; ready maps are ${names}`);
  }
}

async function exportGraph({ database }: AdminContext, { args }: Input): Promise<Report> {
  const file = args[0] ?? '';
  const out = createWriteStream(file, { flags: 'wx' });
  await once(out, 'open').catch((error: Error) => {
    throw new AdminProblem(`${file} cannot be created: ${error.message}`);
  });
  let businesses = 0;
  for await (const business of exportBusinesses(database)) {
    businesses += 1;
    if (!out.write(`${JSON.stringify(business)}\n`)) await once(out, 'drain');
  }
  out.end();
  await finished(out);
  return { value: { file, businesses }, text: fieldsText({ file, businesses }) };
}

async function merges({ database }: AdminContext, { args, options }: Input): Promise<Report> {
  const limit = Number(options.limit ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 10_000)
    throw new UsageProblem('--limit must be a whole number from 1 to 10000');
  const businessId = args[0] === 'all' ? null : await businessIdOf({ database }, args[0] ?? '');
  const rows = await listMerges(database, { businessId, limit });
  const text = tableText(
    ['merge', 'kept', 'merged', 'score', 'at', 'split'],
    rows.map(({ id, kept, merged, score, mergedAt, splitAt }) => [
      ...[id, kept, merged],
      ...[score, mergedAt, splitAt],
    ]),
  );
  return { value: rows, text };
}

async function businessIdOf(
  { database }: Pick<AdminContext, 'database'>,
  text: string,
): Promise<string> {
  if (isId(text)) return text;
  const domain = companyDomain(text) ?? text;
  const found = await database.transaction((tx) => findBusinessByDomain(tx, domain));
  if (!found) throw new AdminProblem(`the graph has no business of ${text}`);
  return found.id;
}

async function join(context: AdminContext, { args }: Input): Promise<Report> {
  const { database, actor } = context;
  const kept = await businessIdOf(context, args[0] ?? '');
  const merged = await businessIdOf(context, args[1] ?? '');
  const details = { kept, merged };
  if (!(await joinBusinesses(database, [kept, merged])))
    throw new AdminProblem(
      `${args.join(' and ')} were not joined: they are one business already, or it has 100 records`,
    );
  await database.transaction((tx) =>
    recordAdminAct(tx, { actor, act: 'graph.join', tenantId: null, details }),
  );
  return { value: details, text: fieldsText(details) };
}

async function split({ database, actor }: AdminContext, { args }: Input): Promise<Report> {
  const id = args[0] ?? '';
  if (!isId(id)) throw new UsageProblem(`${id} is no id of a merge: graph merges lists them`);
  const pair = await splitMerge(database, id);
  if (!pair) throw new AdminProblem(`there is no merge ${id}, or it is split already`);
  await database.transaction((tx) =>
    recordAdminAct(tx, { actor, act: 'graph.split', tenantId: null, details: pair }),
  );
  return { value: pair, text: fieldsText({ ...pair }) };
}

async function rebuild({ database }: AdminContext): Promise<Report> {
  const result = await rebuildGraph(database);
  return { value: result, text: fieldsText({ ...result }) };
}

async function stats({ database }: AdminContext): Promise<Report> {
  const result = await graphStats(database);
  return { value: result, text: fieldsText({ ...result }) };
}
