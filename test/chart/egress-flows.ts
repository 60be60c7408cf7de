import { BlockList, isIPv6 } from 'node:net';
import { selects, type EgressRule, type KubeObject, type Labels } from './kube-object.js';

/** Whether the network policies of a render let pods with these labels connect to an address outside the cluster. */
export function mayReach(
  objects: readonly KubeObject[],
  labels: Labels,
  address: string,
  port: number,
): boolean {
  const policies = objects.filter(
    ({ kind, spec }) => kind === 'NetworkPolicy' && selects(spec.podSelector, labels),
  );
  if (policies.length === 0) return true;
  return policies.some(({ spec }) =>
    (spec.egress ?? []).some((rule) => allows(rule, address, port)),
  );
}

function allows({ ports, to }: EgressRule, address: string, port: number): boolean {
  const isPort =
    ports === undefined || ports.some((one) => one.port === port && one.protocol !== 'UDP');
  if (!isPort) return false;
  if (to === undefined) return true;
  return to.some(
    ({ ipBlock }) =>
      ipBlock !== undefined &&
      contains(ipBlock.cidr, address) &&
      !(ipBlock.except ?? []).some((range) => contains(range, address)),
  );
}

function contains(range: string, address: string): boolean {
  const [base = '', bits = ''] = range.split('/');
  const type = isIPv6(base) ? 'ipv6' : 'ipv4';
  if (isIPv6(address) !== isIPv6(base)) return false;
  const list = new BlockList();
  list.addSubnet(base, Number(bits), type);
  return list.check(address, type);
}
