import {
  containersOf,
  selects,
  workloadsOf,
  type Container,
  type KubeObject,
} from './kube-object.js';

interface Render {
  readonly objects: readonly KubeObject[];
  /** Secrets and accounts that the operator brings. */
  readonly existing: readonly string[];
  readonly hasPolicies: boolean;
}

/**
 * What neither the schema nor an API server refuses: references to objects, keys, ports and volumes that are not
 * there, selectors that choose nothing, and pods that are not hardened.
 */
export function objectProblems(render: Render): readonly string[] {
  return [
    ...workloadsOf(render.objects).flatMap((workload) => [
      ...podProblems(workload),
      ...containersOf(workload).flatMap((one) => [
        ...containerProblems(workload, one),
        ...secretProblems(render, workload, one),
      ]),
      ...(workload.kind === 'Deployment' ? deploymentProblems(render, workload) : []),
    ]),
    ...render.objects.flatMap((object) => referenceProblems(render, object)),
  ];
}

const nameOf = ({ kind, metadata }: KubeObject): string => `${kind}/${metadata.name}`;

function podProblems(workload: KubeObject): readonly string[] {
  const pod = workload.spec.template.spec;
  return named(workload, {
    'mounts a token of its account':
      pod.automountServiceAccountToken !== false && !pod.serviceAccountName?.endsWith('-fetcher'),
    'may run as root': pod.securityContext?.runAsNonRoot !== true,
    'has no seccomp profile': pod.securityContext?.seccompProfile === undefined,
    'has a volume without a size limit': (pod.volumes ?? []).some(
      ({ emptyDir }) => emptyDir !== undefined && emptyDir.sizeLimit === undefined,
    ),
  });
}

function containerProblems(workload: KubeObject, one: Container): readonly string[] {
  const { securityContext: security, resources } = one;
  const volumes = (workload.spec.template.spec.volumes ?? []).map(({ name }) => name);
  const mounts = one.volumeMounts ?? [];
  return named(workload, {
    [`${one.name}: image ${one.image} is not pinned`]:
      !/[:@]/.test(one.image.split('/').at(-1) ?? '') || one.image.endsWith(':latest'),
    [`${one.name}: is not hardened`]:
      security?.readOnlyRootFilesystem !== true ||
      security.allowPrivilegeEscalation !== false ||
      security.capabilities?.drop?.includes('ALL') !== true,
    [`${one.name}: has no /tmp`]: !mounts.some(({ mountPath }) => mountPath === '/tmp'),
    [`${one.name}: mounts a volume that is not there`]: mounts.some(
      ({ name }) => !volumes.includes(name),
    ),
    [`${one.name}: lacks requests or a memory limit`]:
      !resources?.requests?.['cpu'] ||
      !resources.requests['memory'] ||
      !resources.limits?.['memory'],
    [`${one.name}: has a secret in plain text`]: (one.env ?? []).some(
      ({ name, value }) =>
        value !== undefined && /PASS|SECRET|TOKEN|_KEY$|^(DATABASE|BROKER|STORAGE)_URL$/.test(name),
    ),
    [`${one.name}: names a variable twice`]:
      new Set((one.env ?? []).map(({ name }) => name)).size !== (one.env ?? []).length,
  });
}

function secretProblems(
  { objects, existing }: Render,
  workload: KubeObject,
  { env = [] }: Container,
): readonly string[] {
  return env.flatMap(({ name, valueFrom }) => {
    const wanted = valueFrom?.secretKeyRef;
    if (!wanted || existing.includes(wanted.name)) return [];
    const secret = objects.find(
      (one) => one.kind === 'Secret' && one.metadata.name === wanted.name,
    );
    if (secret && wanted.key in { ...secret.data, ...secret.stringData }) return [];
    return [
      `${nameOf(workload)}: ${name} comes from ${wanted.name}/${wanted.key}, which is not there`,
    ];
  });
}

function deploymentProblems(
  { objects, hasPolicies }: Render,
  deployment: KubeObject,
): readonly string[] {
  const { labels } = deployment.spec.template.metadata;
  const [container] = deployment.spec.template.spec.containers;
  const probes = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe];
  const ports = (container?.ports ?? []).map(({ name }) => name);
  const ofKind = (kind: string) => objects.filter((one) => one.kind === kind);
  const scalers = [...ofKind('HorizontalPodAutoscaler'), ...ofKind('ScaledObject')].filter(
    ({ spec }) => spec.scaleTargetRef.name === deployment.metadata.name,
  );
  const selecting = ofKind('Deployment').filter(({ spec }) => selects(spec.selector, labels));
  return named(deployment, {
    'lacks a probe': probes.some((probe) => probe?.httpGet === undefined),
    'has a probe at a port that is not there': probes.some(
      (probe) => probe?.httpGet && !ports.includes(probe.httpGet.port),
    ),
    'restarts when a dependency is gone':
      container?.livenessProbe?.httpGet?.path === container?.readinessProbe?.httpGet?.path,
    'is selected by another deployment, or not by itself': selecting.length !== 1,
    'is selected by no network policy':
      hasPolicies && !ofKind('NetworkPolicy').some(({ spec }) => selects(spec.podSelector, labels)),
    'is not selected by exactly one disruption budget':
      ofKind('PodDisruptionBudget').filter(({ spec }) => selects(spec.selector, labels)).length !==
      1,
    'has two autoscalers': scalers.length > 1,
    'has replicas and an autoscaler': scalers.length > 0 && deployment.spec.replicas !== undefined,
    'has neither replicas nor an autoscaler':
      scalers.length === 0 && deployment.spec.replicas === undefined,
  });
}

function referenceProblems({ objects, existing }: Render, object: KubeObject): readonly string[] {
  const { kind, spec } = object;
  const deployments = objects.filter((one) => one.kind === 'Deployment');
  const has = (wanted: string, name: string): boolean =>
    objects.some((one) => one.kind === wanted && one.metadata.name === name);
  if (kind === 'ScaledObject' || kind === 'HorizontalPodAutoscaler')
    return named(object, { 'scales nothing': !has('Deployment', spec.scaleTargetRef.name) });
  if (kind === 'TriggerAuthentication')
    return named(object, {
      'reads a Secret that is not there': (spec.secretTargetRef ?? []).some(
        ({ name }) => !existing.includes(name) && !has('Secret', name),
      ),
    });
  if (kind === 'Service') {
    const pods = deployments.filter((one) =>
      selects(spec.selector, one.spec.template.metadata.labels),
    );
    const ports = pods.flatMap((one) => containersOf(one).flatMap(({ ports: own = [] }) => own));
    return named(object, {
      'selects no pod': pods.length === 0,
      'leads to a port that is not there': spec.ports.some(
        ({ targetPort }) => !ports.some(({ name }) => name === targetPort),
      ),
    });
  }
  if (kind === 'ServiceMonitor') {
    const services = objects.filter(
      (one) => one.kind === 'Service' && selects(spec.selector, one.metadata.labels),
    );
    return named(object, {
      'does not select exactly one Service': services.length !== 1,
      'reads a port that is not there': spec.endpoints.some(
        ({ port }) => !services[0]?.spec.ports.some(({ name }) => name === port),
      ),
    });
  }
  return [];
}

function named(object: KubeObject, problems: Readonly<Record<string, boolean | undefined>>) {
  return Object.entries(problems)
    .filter(([, isThere]) => isThere)
    .map(([problem]) => `${nameOf(object)}: ${problem}`);
}
