// A scan thread that runs from the sources.
import '../../../test/setup/from-sources.mjs';

const { default: scan } = await import(new URL('../src/scan.worker.ts', import.meta.url).href);
export default scan;
