import { createRequire } from 'node:module';
import type * as Playwright from 'playwright';

let loaded: typeof Playwright | undefined;

/** Playwright, loaded at first use: the API, and a process whose browser runs in another one, start sooner without it. */
export function playwright(): typeof Playwright {
  loaded ??= createRequire(import.meta.url)('playwright') as typeof Playwright;
  return loaded;
}
