import { Store } from '../src/database.js';

/** Connected stores on one database, as so many replicas of a service have them. Whoever opens them closes them. */
export async function openReplicas(
  url: string,
  { count, poolSize = 4 }: { readonly count: number; readonly poolSize?: number },
): Promise<readonly Store[]> {
  const replicas = Array.from(
    { length: count },
    (_, n) => new Store({ url, poolSize, applicationName: `replica ${n}` }),
  );
  await Promise.all(replicas.map((replica) => replica.connect()));
  return replicas;
}
