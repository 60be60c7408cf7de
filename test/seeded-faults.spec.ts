import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '@app/testing';

interface Fault {
  readonly id: string;
  readonly file: string;
  readonly find: string;
  /** Folders of further specs, and names of end-to-end specs. */
  readonly specs?: readonly string[];
}

const at = (name: string) => path.join(projectRoot(), name);
const faults = JSON.parse(readFileSync(at('test/seeded-faults.json'), 'utf8')) as Fault[];
const flows = globSync('test/**/*.{e2e,full}-spec.ts', { cwd: projectRoot() }).map((file) =>
  path.basename(file).replace(/\..*/, ''),
);

describe('seeded faults', () => {
  // A fault whose text is gone is not tried, and a word that names no spec is a stage without specs.
  it.each(faults)('$id fits the product and its specs', ({ file, find, specs = [] }) => {
    expect(readFileSync(at(file), 'utf8').split(find)).toHaveLength(2);
    const isKnown = (word: string) =>
      word.includes('/') ? existsSync(at(word)) : flows.includes(word);
    expect(specs.filter((word) => !isKnown(word))).toEqual([]);
  });
});
