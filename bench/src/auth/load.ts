// Sends one load and prints what came back: a process of its own, so that counting delays no
// server.
import { percentile } from '../percentile.js';
import { KeptConnection, type LoadAnswer } from './kept-connection.js';
import type { LoadOrder, LoadResult } from './load-order.js';

async function main(order: LoadOrder): Promise<void> {
  const fail = (error: Error): never => {
    console.error(error);
    process.exit(1);
  };
  const connections = await Promise.all(
    Array.from({ length: order.connections }, () => KeptConnection.open(order.port, fail)),
  );
  const requests = order.keys.map((key) => requestOf(order.path, key));
  const { answers, seconds } = await (order.perSecond === null
    ? sendAsFastAsAnswered(connections, requests, order.seconds)
    : sendAtPace(connections, requests, { ...order, perSecond: order.perSecond }));
  for (const connection of connections) connection.close();
  console.log(JSON.stringify({ msg: 'done', result: resultOf(answers, seconds) }));
}

function requestOf(path: string, key: string): Buffer {
  const lines = [`GET ${path} HTTP/1.1`, 'host: 127.0.0.1', `x-api-key: ${key}`];
  return Buffer.from([...lines, '', ''].join('\r\n'));
}

interface Sent {
  readonly answers: readonly LoadAnswer[];
  readonly seconds: number;
}

/** Each connection sends its next request when the one before is answered. */
async function sendAsFastAsAnswered(
  connections: readonly KeptConnection[],
  requests: readonly Buffer[],
  seconds: number,
): Promise<Sent> {
  const answers: LoadAnswer[] = [];
  const startedAtMs = performance.now();
  const endsAtMs = startedAtMs + seconds * 1_000;
  let next = 0;
  const loop = (connection: KeptConnection): Promise<void> =>
    new Promise((resolve) => {
      const step = (): void => {
        connection.send(nextOf(requests, next++), (answer) => {
          answers.push(answer);
          if (performance.now() < endsAtMs) step();
          else resolve();
        });
      };
      step();
    });
  await Promise.all(connections.map(loop));
  return { answers, seconds: (performance.now() - startedAtMs) / 1_000 };
}

/** So many requests a second, spread evenly, on whichever connection is free. */
async function sendAtPace(
  connections: readonly KeptConnection[],
  requests: readonly Buffer[],
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<Sent> {
  const answers: LoadAnswer[] = [];
  const free = [...connections];
  const total = Math.round(perSecond * seconds);
  const startedAtMs = performance.now();
  let next = 0;
  await new Promise<void>((resolve) => {
    const sendDue = (): void => {
      const due = Math.min(total, ((performance.now() - startedAtMs) / 1_000) * perSecond);
      for (let connection = next < due ? free.pop() : undefined; connection;) {
        const used = connection;
        used.send(nextOf(requests, next++), (answer) => {
          answers.push(answer);
          free.push(used);
          if (answers.length === total) resolve();
        });
        connection = next < due ? free.pop() : undefined;
      }
      if (next < total) setTimeout(sendDue, 1);
    };
    sendDue();
  });
  return { answers, seconds: (performance.now() - startedAtMs) / 1_000 };
}

/** Tenants take turns. */
function nextOf(requests: readonly Buffer[], index: number): Buffer {
  return requests[index % requests.length] ?? Buffer.alloc(0);
}

function resultOf(answers: readonly LoadAnswer[], seconds: number): LoadResult {
  const took = answers.map(({ tookMs }) => tookMs);
  const statuses = Map.groupBy(answers, ({ status }) => status);
  return {
    answers: answers.length,
    perSecond: answers.length / seconds,
    statuses: Object.fromEntries([...statuses].map(([status, of]) => [status, of.length])),
    p50Ms: percentile(took, 50) ?? NaN,
    p95Ms: percentile(took, 95) ?? NaN,
    p99Ms: percentile(took, 99) ?? NaN,
  };
}

main(JSON.parse(process.argv[2] ?? '') as LoadOrder).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
