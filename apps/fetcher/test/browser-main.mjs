// The browser process straight from the sources.
import '../../../test/setup/from-sources.mjs';

await import(new URL('../src/browser/browser-main.ts', import.meta.url).href);
