import { setImmediate } from 'node:timers/promises';
import type { ConnectorRow, RegisteredConnector } from '@app/connectors';
import { newId } from '@app/contracts';
import {
  feedItemId,
  fieldDiff,
  knownRows,
  type ClaimedFeed,
  type CountedRow,
  type KeyedRow,
} from '@app/runs';
import type { Runtime } from '@app/runtime';

/** A row that waits for its transaction. */
export interface WaitingRow extends KeyedRow {
  readonly row: ConnectorRow;
}

/** What a part of a run counts, and the event of its delivered rows. */
export interface ClassifiedPart {
  readonly rows: readonly CountedRow[];
  readonly event: { readonly id: string; readonly body: string } | null;
}

/** A row as an event delivers it. */
interface DeliveredRow {
  readonly id: string;
  readonly kind: 'new' | 'changed';
  readonly row: ConnectorRow;
  readonly changes?: Readonly<Record<string, unknown>>;
}

/** Compares rows with those that the feed knows. Rows that an earlier attempt of the run counted are left out. */
export async function classifyRows(
  database: Runtime['database'],
  feed: ClaimedFeed,
  {
    waiting,
    room,
    registered,
  }: {
    readonly waiting: readonly WaitingRow[];
    /** Rows that the run may still count. */
    readonly room: number;
    readonly registered: RegisteredConnector;
  },
): Promise<ClassifiedPart> {
  const byKey = new Map(waiting.toReversed().map((one) => [one.key.toString('hex'), one]));
  const known = await knownRows(
    database,
    feed,
    [...byKey.values()].map(({ key }) => key),
  );
  const rows: CountedRow[] = [];
  const delivered: DeliveredRow[] = [];
  for (const [hexKey, { key, data, row }] of [...byKey].toReversed()) {
    const before = known.get(hexKey);
    if (before?.isCounted === true || rows.length >= room) continue;
    const isCompared = before !== undefined && feed.deliversChanged;
    const changes = isCompared ? changesOf(before.data, row, { feed, registered }) : null;
    // A comparison may take some milliseconds, and there are up to a hundred: others take their turn between them.
    if (isCompared) await setImmediate();
    const kind = kindOf(feed, before !== undefined, changes !== null);
    rows.push({ key, kind, data });
    const id = feedItemId(feed.id, { key: hexKey, version: (before?.version ?? 0) + 1 });
    if (kind !== 'known') delivered.push({ id, kind, row, ...(changes ? { changes } : {}) });
  }
  return { rows, event: delivered.length === 0 ? null : eventOf(feed, delivered) };
}

function kindOf(feed: ClaimedFeed, isKnown: boolean, isChanged: boolean): CountedRow['kind'] {
  if (feed.isSilent) return 'known';
  if (!isKnown) return 'new';
  return isChanged ? 'changed' : 'known';
}

function changesOf(
  before: string,
  after: ConnectorRow,
  { feed, registered }: { readonly feed: ClaimedFeed; readonly registered: RegisteredConnector },
): Readonly<Record<string, unknown>> | null {
  const old = JSON.parse(before) as ConnectorRow;
  const { connector } = registered;
  if (connector.changesOf !== undefined) return connector.changesOf(old, after, feed.params);
  // As it is stored: a field without a value is no field.
  const young = JSON.parse(JSON.stringify(after)) as ConnectorRow;
  const changes = fieldDiff(old, young);
  return Object.keys(changes).length === 0 ? null : changes;
}

/** The body of a delivery, as the wire has it. */
function eventOf(feed: ClaimedFeed, rows: readonly DeliveredRow[]) {
  const id = newId();
  const { id: feedId, connectorId, runId, tick } = feed;
  const body = {
    type: 'feed.rows',
    id,
    feedId,
    connectorId,
    runId,
    tick: tick.toISOString(),
    rows,
  };
  return { id, body: JSON.stringify(body) };
}

/** The body of the event of a feed that paused itself. */
export function pausedBody(
  { id: feedId, connectorId, runId }: ClaimedFeed,
  id: string,
  reason: string,
): string {
  return JSON.stringify({ type: 'feed.paused', id, feedId, connectorId, runId, reason });
}
