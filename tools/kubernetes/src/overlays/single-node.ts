// The overlay for trying: one copy of everything, engines included, in one namespace.
import { type ComposeParts, engineObjects } from '../engines/engine-objects.js';
import { inNamespace, mayBeReached, mayReachPod, ofPod } from '../objects/policies.js';
import { reachLabel } from '../objects/reach.js';
import { runtimePort } from '../workloads/workload.js';
import { natsPorts, type OverlayFacts, telemetryPorts } from './facts.js';

const host = 'parlance.localhost';

/** Where a voice runtime in this namespace answers text. */
const textPort = 8080;

/** The ways that an operator's voice runtime needs besides the one to LiveKit. The runtime is a pod with this name in its labels. */
const runtimeOfYours = [
  mayBeReached(
    'voice-runtime',
    [{ podSelector: { matchLabels: reachLabel('voice-runtime') } }],
    [{ number: textPort }],
  ),
  mayReachPod('voice-runtime', 'gateway', [{ number: runtimePort }]),
];

export const singleNode = (parts: ComposeParts): OverlayFacts => ({
  name: 'single-node',
  about: 'One copy of everything, engines included.',
  host,
  settings: {
    PUBLIC_URL: `https://${host}`,
    WIDGET_BASE_URL: `https://${host}`,
    RUNTIME_BASE_URL: `http://gateway:${runtimePort}`,
    TRUST_PROXY_HOPS: '1',
    KEK_ID: 'kek-1',
    LIVEKIT_API_KEY: 'parlance',
    OBJECT_STORAGE_BUCKET: 'parlance',
    OBJECT_STORAGE_REGION: 'us-east-1',
    OBJECT_STORAGE_ACCESS_KEY_ID: 'parlance',
    MONGODB_DATABASE: 'parlance',
  },
  engines: {
    POSTGRES_ADDRESS: 'postgres:5432/parlance',
    NATS_ADDRESS: 'nats:4222',
    EVENT_STREAM_REPLICAS: '1',
    EVENTSTORE_ADDRESS: 'eventstore:2113?tls=false',
    MONGODB_ADDRESS: 'mongodb:27017/parlance?replicaSet=rs0',
    LIVEKIT_URL: 'http://livekit:7880',
    LIVEKIT_WS_URL: 'ws://livekit:7880',
    OBJECT_STORAGE_URL: 'http://s3:9000',
    OBJECT_STORAGE_PUBLIC_URL: 'http://s3:9000',
  },
  reached: {
    postgres: { to: [ofPod('postgres')], ports: [5432] },
    nats: { to: [ofPod('nats')], ports: natsPorts },
    eventstore: { to: [ofPod('eventstore')], ports: [2113] },
    mongodb: { to: [ofPod('mongodb')], ports: [27017] },
    livekit: { to: [ofPod('livekit')], ports: [7880] },
    'object-storage': { to: [ofPod('s3')], ports: [9000] },
    'voice-runtime': { to: [ofPod('voice-runtime')], ports: [textPort] },
    telemetry: { to: [inNamespace('monitoring')], ports: telemetryPorts },
  },
  outsiders: {
    ingress: [inNamespace('ingress-nginx')],
    livekit: [ofPod('livekit'), ofPod('livekit-inbound')],
    'voice-runtime': [ofPod('voice-runtime')],
  },
  copies: {},
  more: {
    'voice-runtime.yaml': runtimeOfYours,
    ...Object.fromEntries(
      Object.entries(engineObjects(parts)).map(([name, objects]) => [`engines/${name}.yaml`, objects]),
    ),
  },
});
