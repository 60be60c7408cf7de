// Writes readings of one company until it is killed, and prints the number of each that is stored.
// Usage: node graph-writer.mjs <database URL> <name of the writer> <domain>
import { Database } from '../../dist/libs/database/src/index.js';
import { writeObservations } from '../../dist/libs/graph/src/index.js';

const [url, writer, domain] = process.argv.slice(2);
const database = new Database({ url, poolSize: 2, applicationName: `graph writer ${writer}` });
await database.connect();
for (let number = 0; ; number += 1) {
  const fact = (field, value) => ({
    field,
    value,
    confidence: 0.8,
    url: `https://${domain}/${writer}`,
  });
  const facts = [fact('domain', domain), fact('tech', `${writer} ${number}`)];
  const observation = { source: 'enrich', seenAt: new Date(), site: domain, facts };
  await writeObservations(database, [observation], { tenantId: null });
  process.stdout.write(`${number}\n`);
}
