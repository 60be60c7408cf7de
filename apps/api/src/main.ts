import 'reflect-metadata';
import { runProcess } from '@app/runtime';
import { startApi } from './start-api.js';

await runProcess({ component: 'api', migrate: true }, async (runtime) => {
  const api = await startApi(runtime);
  void api.firstKey.then(
    (key) => {
      if (key !== null) process.stdout.write(`\nFirst API key (shown once): ${key}\n\n`);
    },
    () => undefined,
  );
  const drainMs = runtime.settings.drainSeconds * 1_000;
  return [
    { name: 'stop loops', run: () => api.stopLoops() },
    { name: 'release connections', run: () => api.releaseConnections(drainMs) },
    { name: 'close http', run: () => api.close(drainMs) },
  ];
});
