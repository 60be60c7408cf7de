import type { KubeObject } from './kube-object.js';

interface ScaledObjectSpec {
  readonly minReplicaCount: number;
  readonly maxReplicaCount: number;
  readonly advanced: {
    readonly horizontalPodAutoscalerConfig: {
      readonly behavior: {
        readonly scaleDown: {
          readonly stabilizationWindowSeconds: number;
          readonly policies: readonly { readonly value: number; readonly periodSeconds: number }[];
        };
      };
    };
  };
  readonly triggers: readonly { readonly metadata: Readonly<Record<string, string>> }[];
}

export interface ScaledQueue {
  readonly queue: string;
  /** Messages for one pod. */
  readonly value: number;
  /** Messages in work do not count. */
  readonly excludesUnacknowledged: boolean;
}

/**
 * What KEDA's scaler for RabbitMQ (mode QueueLength, by the management API) and the HorizontalPodAutoscaler that it
 * feeds make of a ScaledObject: the largest of the triggers' `ceil(messages / value)`, within the bounds; down only to
 * the largest of the last window, and by so many pods a period.
 */
export class ScaledWorkload {
  readonly queues: readonly ScaledQueue[];
  private readonly spec: ScaledObjectSpec;
  private readonly wanted: { readonly atSeconds: number; readonly pods: number }[] = [];
  private readonly removed: number[] = [];

  constructor(object: KubeObject) {
    this.spec = object.spec as unknown as ScaledObjectSpec;
    this.queues = this.spec.triggers.map(({ metadata }) => {
      const { mode, protocol, queueName = '', value, excludeUnacknowledged } = metadata;
      if (mode !== 'QueueLength' || protocol !== 'http') throw new Error(`another scaler: ${mode}`);
      const excludesUnacknowledged = excludeUnacknowledged === 'true';
      return { queue: queueName, value: Number(value), excludesUnacknowledged };
    });
  }

  /** @param messages of each queue, in the order of `queues` */
  replicas(current: number, messages: readonly number[], atSeconds: number): number {
    const { minReplicaCount: min, maxReplicaCount: max } = this.spec;
    const each = this.queues.map(({ value }, at) => Math.ceil((messages[at] ?? 0) / value));
    const pods = Math.min(max, Math.max(min, ...each));
    this.wanted.push({ atSeconds, pods });
    return pods >= current ? pods : this.down(current, atSeconds);
  }

  private down(current: number, atSeconds: number): number {
    const { scaleDown } = this.spec.advanced.horizontalPodAutoscalerConfig.behavior;
    const since = atSeconds - scaleDown.stabilizationWindowSeconds;
    const recent = this.wanted.filter((one) => one.atSeconds > since).map(({ pods }) => pods);
    const target = Math.max(...recent);
    const [policy] = scaleDown.policies;
    if (!policy) throw new Error('no policy for scaling down');
    const period = this.removed.filter((at) => at > atSeconds - policy.periodSeconds).length;
    const next = Math.max(target, current - Math.max(0, policy.value - period));
    for (let pod = next; pod < current; pod++) this.removed.push(atSeconds);
    return Math.min(current, next);
  }
}
