import { hash } from 'node:crypto';
import type { ConnectorRow, RegisteredConnector } from '@app/connectors';
import type { KeyedRow } from '@app/runs';

const MAX_ROW_CHARS = 64 * 1024;

/** A row that cannot be kept. */
export class BadRowError extends Error {
  override readonly name = 'BadRowError';
}

/** The rows until the signal is aborted, also of a connector that does not heed it: that one is left behind. */
export async function* unlessAborted(
  rows: AsyncIterable<ConnectorRow>,
  signal: AbortSignal,
): AsyncGenerator<ConnectorRow> {
  const iterator = rows[Symbol.asyncIterator]();
  const aborted = new Promise<never>((_, reject) => {
    const end = (): void => reject(signal.reason as Error);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
  // It is awaited with the next row only.
  aborted.catch(() => undefined);
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted]);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    iterator.return?.().catch(() => undefined);
  }
}

/** @throws BadRowError */
export function keyedRow(
  row: ConnectorRow,
  { connector, rowProblem }: RegisteredConnector,
): KeyedRow {
  const problem = rowProblem(row);
  if (problem !== null) throw new BadRowError(`a row of the connector ${problem}`);
  const data = JSON.stringify(row);
  if (data.length > MAX_ROW_CHARS)
    throw new BadRowError(`a row is larger than ${MAX_ROW_CHARS} characters`);
  return { key: hash('sha256', connector.keyOf(row), 'buffer'), data };
}
