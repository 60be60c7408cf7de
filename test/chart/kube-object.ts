/** The parts of Kubernetes objects that the checks read. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata & { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly spec: ObjectSpec;
}

export type Labels = Readonly<Record<string, string>>;

export interface Metadata {
  readonly namespace?: string;
  readonly labels?: Labels;
  readonly annotations?: Labels;
}

interface ObjectSpec {
  readonly replicas?: number;
  readonly template: { readonly metadata: Metadata; readonly spec: PodSpec };
  readonly selector: { readonly matchLabels?: Labels } & Labels;
  readonly scaleTargetRef: { readonly name: string };
  readonly secretTargetRef?: readonly SecretKey[];
  readonly triggers: readonly {
    readonly name: string;
    readonly metadata: Readonly<Record<string, string>>;
  }[];
  readonly ports: readonly { readonly name: string; readonly targetPort: string }[];
  readonly endpoints: readonly { readonly port: string }[];
  readonly podSelector: LabelSelector;
  readonly egress?: readonly EgressRule[];
  readonly groups?: unknown;
}

export interface LabelSelector {
  readonly matchLabels?: Labels;
}

export interface EgressRule {
  readonly ports?: readonly { readonly port?: number | string; readonly protocol?: string }[];
  readonly to?: readonly {
    readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
    readonly podSelector?: LabelSelector;
  }[];
}

export interface PodSpec {
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly securityContext?: {
    readonly runAsNonRoot?: boolean;
    readonly seccompProfile?: { readonly type: string };
  };
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly volumes?: readonly {
    readonly name: string;
    readonly emptyDir?: { readonly sizeLimit?: string; readonly medium?: string };
  }[];
  readonly terminationGracePeriodSeconds?: number;
}

interface SecretKey {
  readonly name: string;
  readonly key: string;
}

interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string };
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef?: SecretKey };
  }[];
  readonly ports?: readonly { readonly name: string }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string>>;
    readonly limits?: Readonly<Record<string, string>>;
  };
  readonly securityContext?: {
    readonly readOnlyRootFilesystem?: boolean;
    readonly allowPrivilegeEscalation?: boolean;
    readonly capabilities?: { readonly drop?: readonly string[] };
    readonly seccompProfile?: { readonly type: string };
  };
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

/** The deployments and jobs of a render. */
export function workloadsOf(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.filter(({ kind }) => kind === 'Deployment' || kind === 'Job');
}

export function containersOf({ spec }: KubeObject): readonly Container[] {
  return [...(spec.template.spec.initContainers ?? []), ...spec.template.spec.containers];
}

/** Whether a selector chooses something with these labels. */
export function selects(
  selector: LabelSelector | Labels | undefined,
  labels: Labels = {},
): boolean {
  const wanted = (selector as LabelSelector | undefined)?.matchLabels ?? selector ?? {};
  return Object.entries(wanted as Labels).every(([key, value]) => labels[key] === value);
}
