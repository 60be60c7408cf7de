// A thread that compares pages, straight from the sources.
import '../../../test/setup/from-sources.mjs';

const { default: work } = await import(new URL('../src/diff/diff.worker.ts', import.meta.url).href);
export default work;
