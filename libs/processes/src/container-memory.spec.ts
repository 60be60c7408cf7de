import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { containerMemory } from './container-memory.js';

describe('the memory of the container', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'trawl-cgroup-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function lay(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      writeFileSync(path.join(root, name), text);
    }
  }
  const V2 = {
    'proc/self/cgroup': '0::/\n',
    'sys/fs/cgroup/memory.max': '1000\n',
    'sys/fs/cgroup/memory.current': '900\n',
    'sys/fs/cgroup/memory.stat': 'anon 500\ninactive_file 300\nactive_file 100\n',
  };

  it('is read from version 2, without the file cache that the kernel drops', () => {
    lay(V2);
    expect(containerMemory(root)).toEqual({ limit: 1_000, used: 600 });
  });

  it('is that of the nearest group with a limit', () => {
    lay({
      ...V2,
      'proc/self/cgroup': '0::/pod/container\n',
      'sys/fs/cgroup/pod/container/memory.max': 'max\n',
      'sys/fs/cgroup/pod/memory.max': '500\n',
      'sys/fs/cgroup/pod/memory.current': '200\n',
      'sys/fs/cgroup/pod/memory.stat': 'inactive_file 0\n',
    });
    expect(containerMemory(root)).toEqual({ limit: 500, used: 200 });
  });

  it('is read from version 1, whose path outside the container is not visible inside', () => {
    lay({
      'proc/self/cgroup': '5:cpu:/\n4:memory:/docker/abc\n0::/\n',
      'sys/fs/cgroup/memory/memory.limit_in_bytes': '1000\n',
      'sys/fs/cgroup/memory/memory.usage_in_bytes': '800\n',
      'sys/fs/cgroup/memory/memory.stat': 'inactive_file 1\ntotal_inactive_file 50\n',
    });
    expect(containerMemory(root)).toEqual({ limit: 1_000, used: 750 });
  });

  it.each([
    ['without control groups', {}],
    ['without a limit', { ...V2, 'sys/fs/cgroup/memory.max': 'max\n' }],
    [
      'without a limit, in version 1',
      {
        'proc/self/cgroup': '4:memory:/\n',
        'sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
      },
    ],
  ])('is null %s', (_, files) => {
    lay(files);
    expect(containerMemory(root)).toBeNull();
  });
});
