// A file thread straight from the sources.
import '../../../test/setup/from-sources.mjs';

const { default: work } = await import(
  new URL('../src/files/file.worker.ts', import.meta.url).href
);
export default work;
