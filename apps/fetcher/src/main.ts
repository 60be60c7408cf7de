import 'reflect-metadata';
import { runProcess } from '@app/runtime';
import { startFetcher } from './start-fetcher.js';

await runProcess({ component: 'fetcher', migrate: false }, async (runtime) => {
  const fetcher = await startFetcher(runtime);
  return [
    { name: 'drain', run: () => fetcher.drain(runtime.settings.drainSeconds * 1_000) },
    { name: 'close fetcher', run: () => fetcher.close() },
  ];
});
