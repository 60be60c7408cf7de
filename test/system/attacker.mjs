// The attackers of attacks.soak.ts, in a process of their own at the lowest priority: on a real service they run on
// other machines, and what their side costs must not slow the requests that are measured.
import { setPriority } from 'node:os';

if (process.platform === 'linux') setPriority(0, 19);

const over = new AbortController();
/** Answers by status; 0: none came. */
const answers = {};

async function attack(address, key, body) {
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  const { signal } = over;
  while (!signal.aborted) {
    const status = await fetch(address, { method: 'POST', headers, body, signal })
      .then(async (response) => (await response.arrayBuffer(), response.status))
      .catch(() => 0);
    answers[status] = (answers[status] ?? 0) + 1;
  }
}

let attacks = Promise.resolve();
process.on('message', (order) => {
  if (order === 'stop') return void over.abort();
  const { address, callers, body } = order;
  const senders = callers.flatMap(({ key, requests }) =>
    Array.from({ length: requests }, () => attack(address, key, JSON.stringify(body))),
  );
  attacks = Promise.all(senders).then(() => process.send(answers, () => process.exit(0)));
});
process.on('disconnect', () => process.exit(1));
