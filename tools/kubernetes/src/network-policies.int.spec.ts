// The policies as a matrix of allowed connections, compared with the contract and the variables of each process.
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { migration, processes, variablesOf } from '@parlance/compose';
import { destinationOf } from './chart/environment.js';
import type { INetworkPolicy, Manifest } from './chart/manifest.js';
import { podsOf } from './check/pods.js';
import { currentSubject } from './index.js';
import { root } from './render.js';
import { networkToPut } from './testing/fixtures.js';
import { type End, isAllowed } from './testing/reachability.js';

const { renderings } = currentSubject();
const own = 'parlance';
/** As an installation has them, which names the network of its nodes. */
const policiesIn = (manifests: readonly Manifest[]): readonly INetworkPolicy[] =>
  manifests
    .flatMap((manifest): readonly INetworkPolicy[] => (manifest.kind === 'NetworkPolicy' ? [manifest] : []))
    .map((policy) =>
      JSON.parse(JSON.stringify(policy), (_, value: unknown) =>
        value === networkToPut ? '192.0.2.0/24' : value,
      ),
    );
const podsIn = (manifests: readonly Manifest[]): readonly End[] =>
  podsOf(manifests).map(({ owner, labels }) => ({ name: owner, namespace: own, labels }));

const outside = {
  internet: { name: 'internet', address: '203.0.113.7' },
  neighbour: { name: 'neighbour', address: '10.1.2.3' },
  credentials: { name: 'credentials', address: '169.254.169.254' },
  stranger: { name: 'stranger', namespace: 'elsewhere', labels: {} },
  ingress: { name: 'ingress', namespace: 'envoy-gateway-system', labels: {} },
  proxy: { name: 'proxy', namespace: 'kube-system', labels: {} },
  prometheus: { name: 'prometheus', namespace: 'monitoring', labels: {} },
  names: { name: 'names', namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } },
} as const satisfies Record<string, End>;

/** The destinations of a process. Services ask each other over NATS, so the addresses among its variables name all others. */
const wantedOf = (name: string): ReadonlySet<string> => {
  const process = [...processes, migration].find((known) => known.name === name);
  return new Set(
    process === undefined
      ? []
      : variablesOf(process.env).flatMap((variable) => destinationOf[variable.name] ?? []),
  );
};

const endsOf = (
  rendering: string,
  manifests: readonly Manifest[],
): Readonly<Record<string, { readonly end: End; readonly port: number }>> => {
  const pod = (name: string, port: number) => {
    const end = podsIn(manifests).find((known) => known.name === name);
    return { end: end ?? { name, namespace: name, labels: {} }, port };
  };
  return {
    postgres: pod('postgres', 5432),
    nats: pod('nats', 4222),
    eventstore: pod('eventstore', 2113),
    mongodb: pod('mongodb', 27017),
    livekit: pod('livekit', 7880),
    gateway: pod('gateway', 4700),
    'mcp-facade': pod('mcp-facade', 4720),
    'voice-runtime': {
      end: {
        name: 'voice-runtime',
        namespace: rendering === 'single-node' ? own : 'voice-runtime',
        labels: { 'app.kubernetes.io/name': 'voice-runtime' },
      },
      port: 8080,
    },
    telemetry: { end: outside.prometheus, port: 4318 },
    internet: { end: outside.internet, port: 8443 },
    'object-storage': rendering === 'single-node' ? pod('s3', 9000) : { end: outside.internet, port: 443 },
  };
};

describe.each(Object.entries(renderings))('%s', (rendering, manifests) => {
  const policies = policiesIn(manifests);
  const ends = endsOf(rendering, manifests);
  const ingress = rendering === 'single-node' ? outside.proxy : outside.ingress;
  const processPods = podsIn(manifests).filter(({ name }) =>
    processes.some((process) => process.name === name),
  );
  const allowed = (from: End, to: End, port: number, protocol?: 'UDP') =>
    isAllowed(policies, own, { from, to, port, ...(protocol === undefined ? {} : { protocol }) });

  it.each(processPods.map((pod) => [pod.name, pod] as const))(
    'lets %s reach the engines and processes whose addresses it reads, and no others',
    (name, pod) => {
      const wanted = wantedOf(name);
      // a process that reaches the internet also reaches a storage on the internet, as far as addresses tell
      const isSameAddress = (destination: string) =>
        destination === 'object-storage' && rendering === 'production' && wanted.has('internet');
      const reached = Object.entries(ends)
        .filter(([destination]) => !isSameAddress(destination))
        .flatMap(([destination, { end, port }]) => (allowed(pod, end, port) ? [destination] : []));
      const expected = Object.keys(ends).filter(
        (destination) => wanted.has(destination) && !isSameAddress(destination),
      );
      expect(reached).toEqual(expected);
    },
  );

  it('keeps every process off private networks, off what holds credentials, and off other ports of engines', () => {
    for (const pod of processPods) {
      expect([80, 443].filter((port) => allowed(pod, outside.credentials, port))).toEqual([]);
      expect(allowed(pod, outside.neighbour, 6379)).toBe(false);
      expect(allowed(pod, outside.stranger, 4700)).toBe(false);
      expect(allowed(pod, ends.postgres?.end ?? outside.stranger, 22)).toBe(false);
    }
  });

  it('lets every pod ask for names, and nobody else serve them', () => {
    for (const pod of podsIn(manifests)) {
      expect(allowed(pod, outside.names, 53, 'UDP')).toBe(true);
      expect(allowed(pod, outside.stranger, 53, 'UDP')).toBe(false);
    }
  });

  it('lets the ingress reach the gateway alone, Prometheus the internal port alone, and strangers nothing', () => {
    const open = (from: End, port: number) =>
      podsIn(manifests).flatMap((pod) => (allowed(from, pod, port) ? [pod.name] : []));
    const listening = [...new Set([4700, 4720, 8222, 9464, ...Object.values(ends).map(({ port }) => port)])];
    expect(listening.flatMap((port) => open(outside.stranger, port))).toEqual([]);
    expect(listening.flatMap((port) => open(ingress, port))).toEqual(['gateway']);
    const watched = processPods
      .filter(({ name }) => name !== 'provision' && name !== 'migrate')
      .map(({ name }) => name);
    expect(open(outside.prometheus, 9464).sort()).toEqual([...watched].sort());
    expect(
      listening.filter((port) => port !== 9464).flatMap((port) => open(outside.prometheus, port)),
    ).toEqual([]);
  });

  it("lets the ingress alone reach cert-manager's solver of HTTP-01, at its port alone", () => {
    const label = { 'acme.cert-manager.io/http01-solver': 'true' };
    const solver: End = { name: 'solver', namespace: own, labels: label };
    expect([80, 4700, 8089].filter((port) => allowed(ingress, solver, port))).toEqual([8089]);
    const others = [...podsIn(manifests), outside.stranger, outside.prometheus, outside.internet];
    expect(others.filter((from) => allowed(from, solver, 8089))).toEqual([]);
  });

  it('lets the doctor of a process that uses NATS ask the monitoring port of NATS', () => {
    const nats = ends.nats?.end ?? outside.stranger;
    const asking = processPods.filter((pod) => allowed(pod, nats, 8222)).map(({ name }) => name);
    expect(asking).toEqual(processPods.map(({ name }) => name).filter((name) => wantedOf(name).has('nats')));
  });

  it('lets a process send telemetry by either protocol that OTEL_EXPORTER_OTLP_PROTOCOL knows', () => {
    const senders = processPods.filter(({ name }) => wantedOf(name).has('telemetry'));
    expect(senders).not.toHaveLength(0);
    for (const pod of senders)
      expect([4316, 4317, 4318, 4319].filter((port) => allowed(pod, outside.prometheus, port))).toEqual([
        4317, 4318,
      ]);
  });

  it('lets the voice runtime alone reach the gateway at the port for runtimes, and at no other', () => {
    const runtime = ends['voice-runtime']?.end ?? outside.stranger;
    const gateway = ends.gateway?.end ?? outside.stranger;
    const others = [...podsIn(manifests), ...Object.values(outside)];
    expect([4700, 4710, 9464].filter((port) => allowed(runtime, gateway, port))).toEqual([4710]);
    expect(others.filter((from) => allowed(from, gateway, 4710))).toEqual([]);
  });

  it('lets no process reach another by HTTP but the gateway and its facade, because services ask over NATS', () => {
    const pairs = processPods.flatMap((from) =>
      processPods.flatMap((to) =>
        [4700, 4720, 9464].flatMap((port) =>
          allowed(from, to, port) ? [`${from.name} ${to.name} ${port}`] : [],
        ),
      ),
    );
    expect(pairs.sort()).toEqual(['gateway mcp-facade 4720', 'mcp-facade gateway 4700']);
  });
});

it('in production LiveKit is reached on the network of its nodes, where its values put it, and reaches the gateway from there', () => {
  const manifests = renderings.production ?? [];
  const node: End = { name: 'node', address: '192.0.2.7' };
  const values = readFileSync(join(root, 'deploy/kubernetes/engines/livekit.yaml'), 'utf8');
  expect(values).toContain('podHostNetwork: true');
  const between = (from: End, to: End, port: number) =>
    isAllowed(policiesIn(manifests), own, { from, to, port });
  const without = podsIn(manifests).filter(({ name }) => !wantedOf(name).has('internet'));
  const reaching = without.filter((pod) => between(pod, node, 7880)).map(({ name }) => name);
  expect(reaching).toEqual(without.map(({ name }) => name).filter((name) => wantedOf(name).has('livekit')));
  expect(reaching).toContain('outbound-dialer');
  const visited = podsIn(manifests)
    .filter((pod) => between(node, pod, 4700))
    .map(({ name }) => name);
  expect(visited).toEqual(['gateway']);
});

it('production cannot be applied before its network of nodes is named: what stands there is no network', () => {
  const policies = (renderings.production ?? []).filter(
    (manifest) => manifest.kind === 'NetworkPolicy' && JSON.stringify(manifest).includes(networkToPut),
  );
  expect(policies.map(({ metadata }) => metadata?.name).sort()).toEqual(['reach-livekit', 'visit-gateway']);
  expect(isIP(networkToPut.split('/')[0] ?? '')).toBe(0);
  expect(JSON.stringify(renderings)).not.toContain('192.0.2.');
});
