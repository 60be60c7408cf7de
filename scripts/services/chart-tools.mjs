// What the chart is checked with: helm, kubeconform with schemas of the oldest and the newest supported Kubernetes and
// of the custom resources in use, and promtool.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

import { parseAllDocuments } from 'yaml';

import { installDebian } from './debian.mjs';
import { findProgram, programCache } from './find-program.mjs';
import { goModule, goProgram } from './go-program.mjs';
import { kubernetesSchemas, resourceSchemas } from './kube-schemas.mjs';

export const newestKubernetes = '1.36.3';
/** Oldest and newest; Chart.yaml names the oldest. */
const kubernetesVersions = ['1.31.14', newestKubernetes];
/** Go modules with custom resource definitions, by the files that are used. */
const customResources = {
  'github.com/kedacore/keda/v2@v2.20.2': [
    'config/crd/bases/keda.sh_scaledobjects.yaml',
    'config/crd/bases/keda.sh_triggerauthentications.yaml',
  ],
  'github.com/prometheus-operator/prometheus-operator@v0.85.0': [
    'example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml',
    'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
  ],
  'sigs.k8s.io/gateway-api@v1.4.1': [
    'config/crd/standard/gateway.networking.k8s.io_httproutes.yaml',
  ],
};
/** The version of Kubernetes that `helm template` renders for, which a build by `go install` lacks. */
const helmVersion = ['Major=1', `Minor=${newestKubernetes.split('.')[1]}`]
  .map((part) => `-X helm.sh/helm/v3/pkg/chartutil.k8sVersion${part}`)
  .join(' ');

export const chartTools = {
  name: 'chart-tools',
  given: 'TEST_CHART_TOOLS',
  isProgram: true,

  async start({ log }) {
    const tools = {
      helm: await goProgram({
        name: 'helm',
        module: 'helm.sh/helm/v3/cmd/helm@v3.22.0',
        ldflags: helmVersion,
        log,
      }),
      kubeconform: await goProgram({
        name: 'kubeconform',
        module: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0',
        log,
      }),
      promtool: await promtool(log),
      schemas: {},
    };
    for (const version of kubernetesVersions)
      tools.schemas[version] = await schemasOf(version, log);
    return { url: JSON.stringify(tools) };
  },

  isHealthy: async (state) => {
    const { schemas, ...programs } = JSON.parse(state.url);
    return [...Object.values(programs), ...Object.values(schemas)].every(existsSync);
  },
  stop: async () => undefined,
  env: (state) => ({ TEST_CHART_TOOLS: state.url }),
};

async function promtool(log) {
  if (!findProgram(['promtool'])) await installDebian(['prometheus'], log);
  return findProgram(['promtool']);
}

/** Files with the definitions of the custom resources. */
export async function customResourceFiles(log) {
  const found = [];
  for (const [module, files] of Object.entries(customResources)) {
    const sources = await goModule(module, log);
    found.push(...files.map((file) => path.join(sources, file)));
  }
  return found;
}

/** Folder with the JSON schemas of one version, made once. */
async function schemasOf(version, log) {
  const folder = path.join(path.dirname(programCache()[0]), `kube-schemas-${version}`);
  if (existsSync(folder)) return folder;
  log(`fetching the schemas of Kubernetes ${version}, once …`);
  const draft = `${folder}.draft-${process.pid}`;
  mkdirSync(draft, { recursive: true });
  const kubernetes = await goModule(`k8s.io/kubernetes@v${version}`, log);
  const swagger = path.join(kubernetes, 'api/openapi-spec/swagger.json');
  const write = ([name, schema]) => writeFileSync(path.join(draft, name), JSON.stringify(schema));
  kubernetesSchemas(JSON.parse(readFileSync(swagger, 'utf8'))).forEach(write);
  for (const file of await customResourceFiles(log))
    for (const document of parseAllDocuments(readFileSync(file, 'utf8')))
      resourceSchemas(document.toJS()).forEach(write);
  if (readdirSync(draft).length === 0) throw new Error(`no schemas in ${kubernetes}`);
  putInPlace(draft, folder);
  return folder;
}

/** Another clone may have made the folder meanwhile: its files are the same. */
function putInPlace(draft, folder) {
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(draft, { recursive: true, force: true });
  }
}
