import { Database } from '../src/database.js';

/** Connected pools on one database, as several replicas of a service have them. The caller closes them. */
export async function openReplicas(
  url: string,
  { count, poolSize = 4 }: { readonly count: number; readonly poolSize?: number },
): Promise<readonly Database[]> {
  const replicas = Array.from(
    { length: count },
    (_, n) =>
      new Database({ url, poolSize, applicationName: `replica ${n}`, connectTimeoutMs: 60_000 }),
  );
  await Promise.all(replicas.map((replica) => replica.connect()));
  return replicas;
}
