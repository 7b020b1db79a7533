// The overlay for keeping: copies, autoscalers, and engines elsewhere. `engines.env` and `reach.yaml` name the engines.
import type { INetworkPolicyPeer } from 'kubernetes-models/networking.k8s.io/v1';
import type { Manifest } from '../manifest.js';
import { scalerOf } from '../objects/around.js';
import { inNamespace, onTheInternet } from '../objects/policies.js';
import { authoritiesPath, eventStoreOfCluster } from '../workloads/environment.js';
import { workloads } from '../workloads/table.js';
import { runtimePort } from '../workloads/workload.js';
import { natsPorts, type OverlayFacts, telemetryPorts } from './facts.js';

const host = 'parlance.example.com';

/** Three members of a StatefulSet behind a headless Service. */
const members = (set: string, service: string, port: number): string =>
  [0, 1, 2].map((index) => `${set}-${index}.${service}.svc:${port}`).join(',');

/**
 * LiveKit is on the network of its nodes (engines/livekit.yaml), which no selector of pods finds. This text stands for the network. It
 * is no network, so the API server refuses both policies by name until an installation puts its own nodes there.
 */
export const networkToPut = 'put-the-network-of-your-livekit-nodes-here';

const nodesOfLiveKit: INetworkPolicyPeer = { ipBlock: { cidr: networkToPut } };

const scalersBy = (by: 'cpu' | 'metric'): readonly Manifest[] =>
  workloads.filter(({ scaling }) => scaling?.by === by).flatMap(scalerOf);

export const production: OverlayFacts = {
  name: 'production',
  about: 'Copies and autoscalers; engines by their own operators, in namespaces of their own.',
  host,
  settings: {
    PUBLIC_URL: `https://${host}`,
    WIDGET_BASE_URL: `https://${host}`,
    RUNTIME_BASE_URL: `http://gateway.parlance.svc:${runtimePort}`,
    TRUST_PROXY_HOPS: '1',
    KEK_ID: 'kek-1',
    LIVEKIT_API_KEY: 'parlance',
    OBJECT_STORAGE_BUCKET: 'parlance',
    OBJECT_STORAGE_ACCESS_KEY_ID: 'parlance',
    MONGODB_DATABASE: 'parlance',
  },
  engines: {
    POSTGRES_ADDRESS: `parlance-rw.postgres.svc:5432/parlance?sslmode=verify-full&sslrootcert=${authoritiesPath}/postgres.crt`,
    // a server tells its clients of the others
    NATS_ADDRESS: `nats.nats.svc:4222?tlsCAFile=${authoritiesPath}/nats.crt`,
    EVENT_STREAM_REPLICAS: '3',
    EVENTSTORE_ADDRESS: `${members('eventstore', 'eventstore.eventstore', 2113)}?tls=true&tlsCAFile=${authoritiesPath}/eventstore.crt`,
    MONGODB_ADDRESS: `${members('parlance', 'parlance-svc.mongodb', 27017)}/parlance?replicaSet=parlance&tls=true&tlsCAFile=${authoritiesPath}/mongodb.crt`,
    LIVEKIT_URL: 'http://livekit-server.livekit.svc:80',
    LIVEKIT_WS_URL: 'wss://livekit.example.com',
    OBJECT_STORAGE_URL: 'https://s3.eu-central-1.amazonaws.com',
    OBJECT_STORAGE_PUBLIC_URL: 'https://s3.eu-central-1.amazonaws.com',
  },
  reached: {
    postgres: { to: [inNamespace('postgres')], ports: [5432] },
    nats: { to: [inNamespace('nats')], ports: natsPorts },
    eventstore: { to: [inNamespace('eventstore')], ports: [2113] },
    mongodb: { to: [inNamespace('mongodb')], ports: [27017] },
    livekit: { to: [inNamespace('livekit'), nodesOfLiveKit], ports: [7880] },
    'object-storage': { to: onTheInternet, ports: [443] },
    telemetry: { to: [inNamespace('monitoring')], ports: telemetryPorts },
    'voice-runtime': { to: [inNamespace('voice-runtime')], ports: [8080] },
  },
  outsiders: {
    ingress: [inNamespace('ingress-nginx')],
    livekit: [inNamespace('livekit'), nodesOfLiveKit],
    'voice-runtime': [inNamespace('voice-runtime')],
  },
  copies: Object.fromEntries(
    workloads.filter(({ scaling }) => scaling === undefined).map(({ name, copies }) => [name, copies]),
  ),
  more: { 'scaling.yaml': scalersBy('cpu'), 'keda.yaml': scalersBy('metric') },
};

/** Production's event store has users, so its address carries the password. */
export const eventStorePatch = (name: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    template: {
      spec: { containers: [{ name, env: eventStoreOfCluster }] },
    },
  },
});
