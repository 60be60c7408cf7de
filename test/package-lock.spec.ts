import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '@app/testing';

interface Locked {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

const lock = JSON.parse(readFileSync(path.join(projectRoot(), 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const packages = Object.entries(lock.packages).filter(([key]) => key !== '');

describe('package-lock.json', () => {
  it('has the hash of every package but the binaries of other platforms', () => {
    const unchecked = packages.filter(([, { integrity }]) => integrity === undefined);
    const always = unchecked.filter(([, { optional, os, cpu }]) => !optional || !(os ?? cpu));
    expect(always.map(([key]) => key)).toEqual([]);
  });

  it('names no registry: packages come from the one that npm is set up with', () => {
    expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });
});
