// Network policies: no pod may connect to anything, and then each policy lets the used connections through.
import type {
  INetworkPolicyEgressRule,
  INetworkPolicyIngressRule,
  INetworkPolicyPeer,
} from 'kubernetes-models/networking.k8s.io/v1';
import type { INetworkPolicy } from '../manifest.js';
import { type Destination, type Outsider, opsPort, type Workload } from '../workloads/workload.js';
import { selectorOf } from './pods.js';
import { reachLabel } from './reach.js';

const policy = (name: string, spec: NonNullable<INetworkPolicy['spec']>): INetworkPolicy => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name, labels: { 'app.kubernetes.io/part-of': 'parlance' } },
  spec,
});

export const inNamespace = (name: string): INetworkPolicyPeer => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
});

export const ofPod = (name: string): INetworkPolicyPeer => ({
  podSelector: { matchLabels: selectorOf(name) },
});

const nothing = policy('default-deny', { podSelector: {}, policyTypes: ['Ingress', 'Egress'] });

const names = policy('names', {
  podSelector: {},
  policyTypes: ['Egress'],
  egress: [
    {
      to: [{ ...inNamespace('kube-system'), podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }],
      ports: [
        { port: 53, protocol: 'UDP' },
        { port: 53, protocol: 'TCP' },
      ],
    },
  ],
});

/** Pods of one name may open connections to pods of another. */
export const mayReachPod = (from: string, to: string, ports: readonly ListeningPort[]): INetworkPolicy =>
  policy(`${from}-to-${to}`, {
    podSelector: { matchLabels: selectorOf(from) },
    policyTypes: ['Egress'],
    egress: [
      { to: [ofPod(to)], ports: ports.map(({ number, protocol = 'TCP' }) => ({ port: number, protocol })) },
    ],
  });

/** Pods with the label may open connections to these peers at these TCP ports; without ports, at all. */
export const mayReach = (
  destination: Destination,
  to: INetworkPolicyPeer[],
  ports: readonly number[],
): INetworkPolicy => {
  const rule: INetworkPolicyEgressRule = {
    to,
    ...(ports.length === 0 ? {} : { ports: ports.map((port) => ({ port, protocol: 'TCP' as const })) }),
  };
  return policy(`reach-${destination}`, {
    podSelector: { matchLabels: reachLabel(destination) },
    policyTypes: ['Egress'],
    egress: [rule],
  });
};

export interface ListeningPort {
  readonly number: number;
  readonly protocol?: 'UDP' | 'TCP';
}

/** Pods with this name may be reached by these peers at these ports. */
export const mayBeReached = (
  name: string,
  from: INetworkPolicyPeer[],
  ports: readonly ListeningPort[],
  policyName = `visit-${name}`,
): INetworkPolicy => {
  const rule: INetworkPolicyIngressRule = {
    from,
    ports: ports.map(({ number, protocol = 'TCP' }) => ({ port: number, protocol })),
  };
  return policy(policyName, {
    podSelector: { matchLabels: selectorOf(name) },
    policyTypes: ['Ingress'],
    ingress: [rule],
  });
};

/** cert-manager's answer to a challenge of HTTP-01: a pod beside the Ingress for as long as a certificate is asked for. */
const solver = { label: { 'acme.cert-manager.io/http01-solver': 'true' }, port: 8089 } as const;

/** The proxies that lead visitors to the gateway lead the certificate authority to the solver. */
export const solverMayBeReached = (from: INetworkPolicyPeer[]): INetworkPolicy =>
  policy('visit-http01-solver', {
    podSelector: { matchLabels: solver.label },
    policyTypes: ['Ingress'],
    ingress: [{ from, ports: [{ port: solver.port, protocol: 'TCP' }] }],
  });

/** Ranges that are not the internet: the cluster's own, neighbours', and those that clouds keep credentials behind. */
const notTheInternet = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

export const onTheInternet: INetworkPolicyPeer[] = [
  { ipBlock: { cidr: '0.0.0.0/0', except: notTheInternet } },
  { ipBlock: { cidr: '2000::/3' } },
];

/** Every port, because receivers of webhooks, tools and mail servers choose theirs. */
const internet = (): INetworkPolicy => mayReach('internet', onTheInternet, []);

const metrics = policy('visit-ops', {
  podSelector: { matchLabels: { 'app.kubernetes.io/component': 'process' } },
  policyTypes: ['Ingress'],
  ingress: [{ from: [inNamespace('monitoring')], ports: [{ port: opsPort.number, protocol: 'TCP' }] }],
});

/**
 * The peers that connect to each process with a listener. The table names processes of ours, and the overlay the places of outsiders.
 */
export const visitsOf = (
  workloads: readonly Workload[],
  peersOf: Readonly<Record<Outsider, readonly INetworkPolicyPeer[]>>,
): readonly INetworkPolicy[] =>
  workloads.flatMap(({ name, port, runtimePort, openTo }) => {
    if (port === undefined) return [];
    const callers = workloads.filter(({ reaches }) => reaches.some((destination) => destination === name));
    const from = [
      ...callers.map((caller) => ofPod(caller.name)),
      ...openTo.flatMap((outsider) => peersOf[outsider]),
    ];
    const ofRuntime =
      runtimePort === undefined
        ? []
        : [mayBeReached(name, [...peersOf['voice-runtime']], [runtimePort], `visit-${name}-as-runtime`)];
    return [mayBeReached(name, from, [port]), ...ofRuntime];
  });

/** Between processes of ours, which HTTP knows by the name of their Service. */
const own = (workloads: readonly Workload[]): readonly INetworkPolicy[] =>
  workloads.flatMap(({ name, port }) => {
    if (port === undefined || !(name === 'gateway' || name === 'mcp-facade')) return [];
    return [mayReach(name, [ofPod(name)], [port.number])];
  });

/** The rules that hold wherever the engines are. */
export const policiesOf = (workloads: readonly Workload[]): readonly INetworkPolicy[] => [
  nothing,
  names,
  internet(),
  metrics,
  ...own(workloads),
];
