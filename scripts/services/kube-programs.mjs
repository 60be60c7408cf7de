// What the chart is installed with on a real control plane: the control plane in one program, built from the Go modules
// of Kubernetes, etcd and kwok, and helm 4 beside the helm 3 of the chart tools. Only for `npm run test:kube`.
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { root } from '../bootstrap.mjs';
import { customResourceFiles, newestKubernetes } from './chart-tools.mjs';
import { goBuild, goModule, goProgram } from './go-program.mjs';

const kwok = 'sigs.k8s.io/kwok@v0.8.0';
const sources = path.join(root, 'scripts/services/control-plane');

export const kubePrograms = {
  name: 'kube-programs',
  given: 'TEST_KUBE_PROGRAMS',
  isProgram: true,
  /** Its build takes minutes: started only by name. */
  isOnDemand: true,

  async start({ log }) {
    const helm4 = await goProgram({
      name: 'helm',
      module: 'helm.sh/helm/v4/cmd/helm@v4.3.1',
      log,
    });
    const controlPlane = await controlPlaneProgram(log);
    const stages = stageFiles(await goModule(kwok, log));
    const url = JSON.stringify({
      helm4,
      controlPlane,
      stages,
      crds: await customResourceFiles(log),
    });
    return { url };
  },

  isHealthy: async (state) => {
    const { helm4, controlPlane, stages, crds } = JSON.parse(state.url);
    return [helm4, controlPlane, ...stages, ...crds].every(existsSync);
  },
  stop: async () => undefined,
  env: (state) => ({ TEST_KUBE_PROGRAMS: state.url }),
};

/** k8s.io/kubernetes replaces modules by folders of its own repository, so it cannot be installed by name. */
async function controlPlaneProgram(log) {
  const version = newestKubernetes;
  return goBuild({
    name: 'kubelite',
    version: `v${version}`,
    ldflags: versionFlags(version),
    log,
    async prepare() {
      const kubernetes = await goModule(`k8s.io/kubernetes@v${version}`, log);
      const folder = mkdtempSync(path.join(os.tmpdir(), 'trawl-kubelite-'));
      copyFileSync(path.join(sources, 'main.go'), path.join(folder, 'main.go'));
      const upstream = readFileSync(path.join(kubernetes, 'go.mod'), 'utf8');
      writeFileSync(path.join(folder, 'go.mod'), moduleFile(upstream, version));
      return { folder, clean: () => rmSync(folder, { recursive: true, force: true }) };
    },
  });
}

/** The folders that upstream replaces modules by are published as modules of the version 0.x of the same release. */
function moduleFile(upstream, version) {
  const [, go] = /^go (\S+)$/m.exec(upstream);
  const published = `v0.${version.replace(/^1\./, '')}`;
  const replaced = [...upstream.matchAll(/(k8s\.io\/[\w-]+) => \.\/staging\//g)];
  const names = [...new Set(replaced.map(([, name]) => name))];
  return [
    'module kubelite',
    `go ${go}`,
    ...(upstream.match(/^godebug default=\S+$/m) ?? []),
    `require k8s.io/kubernetes v${version}`,
    `require ${kwok.replace('@', ' ')}`,
    ...names.map((name) => `replace ${name} => ${name} ${published}`),
    '',
  ].join('\n');
}

function versionFlags(version) {
  const values = [`gitVersion=v${version}`, 'gitMajor=1', `gitMinor=${version.split('.')[1]}`];
  const packages = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'];
  return packages.flatMap((name) => values.map((value) => `-X ${name}.${value}`)).join(' ');
}

/** How kwok moves nodes and pods on: at once. */
function stageFiles(module) {
  const stages = path.join(module, 'kustomize/stage');
  const pods = readdirSync(path.join(stages, 'pod/fast')).filter((file) =>
    /^pod-.*\.yaml$/.test(file),
  );
  return [
    path.join(stages, 'node/fast/node-initialize.yaml'),
    ...pods.map((file) => path.join(stages, 'pod/fast', file)),
  ];
}
