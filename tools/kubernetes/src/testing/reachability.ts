// NetworkPolicies read as Kubernetes defines them: may a pod open a connection to another, at a port?

import { BlockList, isIPv6 } from 'node:net';
import type { INetworkPolicyPeer, INetworkPolicyPort } from 'kubernetes-models/networking.k8s.io/v1';
import type { INetworkPolicy } from '../chart/manifest.js';

/** One end of a connection: a pod with its labels, or an address outside. */
export interface End {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly address?: string;
}

type Selector = INetworkPolicyPeer['podSelector'];

const selects = (selector: Selector, labels: Readonly<Record<string, string>>): boolean => {
  if (selector === undefined) return false;
  if (selector.matchExpressions !== undefined) throw new Error('the policies use no expressions');
  return Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
};

const isInRange = (address: string, cidr: string): boolean => {
  const [network = '', bits = '0'] = cidr.split('/');
  const family = isIPv6(network) ? 'ipv6' : 'ipv4';
  const range = new BlockList();
  range.addSubnet(network, Number(bits), family);
  return range.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
};

/** @param own the namespace of the policy, which a peer without a namespace selector means */
const isPeer = (peer: INetworkPolicyPeer, end: End, own: string): boolean => {
  const { ipBlock, namespaceSelector, podSelector } = peer;
  if (ipBlock !== undefined)
    return (
      end.address !== undefined &&
      isInRange(end.address, ipBlock.cidr) &&
      !(ipBlock.except ?? []).some((range) => isInRange(end.address ?? '', range))
    );
  if (end.namespace === undefined) return false;
  const namespaceFits =
    namespaceSelector === undefined
      ? end.namespace === own
      : selects(namespaceSelector, { 'kubernetes.io/metadata.name': end.namespace });
  return namespaceFits && (podSelector === undefined || selects(podSelector, end.labels ?? {}));
};

const isPort = (ports: readonly INetworkPolicyPort[] | undefined, port: number, protocol: string): boolean =>
  ports === undefined ||
  ports.some((allowed) => allowed.port === port && (allowed.protocol ?? 'TCP') === protocol);

export interface Attempt {
  readonly from: End;
  readonly to: End;
  readonly port: number;
  readonly protocol?: 'TCP' | 'UDP';
}

/** Both ends have to agree; a pod that no policy of a direction selects agrees to everything. */
export const isAllowed = (
  policies: readonly INetworkPolicy[],
  own: string,
  { from, to, port, protocol = 'TCP' }: Attempt,
): boolean => {
  const about = (end: End, direction: 'Ingress' | 'Egress') =>
    policies.filter(
      ({ spec }) =>
        end.namespace === own &&
        spec !== undefined &&
        selects(spec.podSelector, end.labels ?? {}) &&
        spec.policyTypes?.includes(direction),
    );
  const leaving = about(from, 'Egress');
  const coming = about(to, 'Ingress');
  const mayLeave =
    leaving.length === 0 ||
    leaving.some(({ spec }) =>
      spec?.egress?.some(
        (rule) => isPort(rule.ports, port, protocol) && rule.to?.some((peer) => isPeer(peer, to, own)),
      ),
    );
  const mayCome =
    coming.length === 0 ||
    coming.some(({ spec }) =>
      spec?.ingress?.some(
        (rule) => isPort(rule.ports, port, protocol) && rule.from?.some((peer) => isPeer(peer, from, own)),
      ),
    );
  return mayLeave && mayCome;
};
