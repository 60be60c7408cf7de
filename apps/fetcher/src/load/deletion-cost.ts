import { readFile } from 'node:fs/promises';
import { request, type RequestOptions } from 'node:https';
import path from 'node:path';

/** Where Kubernetes mounts the account of a pod. */
const ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';
/** Its name in every cluster, which its certificate has. */
const API_SERVER = { host: 'kubernetes.default.svc', port: 443 };
const TIMEOUT_MS = 5_000;

export interface DeletionCostOptions {
  /** Tasks in work. */
  readonly inFlight: () => number;
  /** @default the API server of the cluster this process runs in */
  readonly server?: { readonly host: string; readonly port: number };
  /** @default the folder in which Kubernetes mounts the account */
  readonly accountFolder?: string;
  /** Name of the pod. */
  readonly pod: string;
}

/**
 * Tells Kubernetes which fetchers are busy, so that a smaller number of them keeps those: the annotation
 * `controller.kubernetes.io/pod-deletion-cost` of its own pod is the number of tasks in work (Kubernetes documentation,
 * "ReplicaSet: Pod deletion cost"). Its account needs the right to patch pods.
 */
export class DeletionCost {
  private told: number | null = null;

  constructor(private readonly options: DeletionCostOptions) {}

  /** One round of a background loop. @throws when the API server refuses or does not answer */
  async round(): Promise<null> {
    const cost = this.options.inFlight();
    if (cost === this.told) return null;
    await this.tell(cost);
    this.told = cost;
    return null;
  }

  private async tell(cost: number): Promise<void> {
    const { accountFolder = ACCOUNT_FOLDER, pod, server = API_SERVER } = this.options;
    // Read each time: Kubernetes replaces the token.
    const [token, ca, namespace] = await Promise.all(
      ['token', 'ca.crt', 'namespace'].map((file) =>
        readFile(path.join(accountFolder, file), 'utf8'),
      ),
    );
    const annotations = { 'controller.kubernetes.io/pod-deletion-cost': String(cost) };
    const body = JSON.stringify({ metadata: { annotations } });
    const status = await patch(body, {
      ...server,
      ca,
      path: `/api/v1/namespaces/${namespace?.trim()}/pods/${pod}`,
      headers: {
        authorization: `Bearer ${token?.trim()}`,
        'content-type': 'application/merge-patch+json',
      },
    });
    if (status !== 200) throw new Error(`the API server of Kubernetes answered ${status}`);
  }
}

function patch(body: string, options: RequestOptions): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const call = request({ ...options, method: 'PATCH', signal }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
      response.once('error', reject);
    });
    call.once('error', reject);
    call.end(body);
  });
}
