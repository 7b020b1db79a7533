// The engines of the single-node overlay: their services in docker-compose.yml, their ports, and the processes that
// connect.
import type { Destination } from '../workloads/workload.js';

export interface Port {
  readonly name: string;
  readonly number: number;
  readonly protocol?: 'UDP';
}

export interface Engine {
  /** In docker-compose.yml. */
  readonly from: string;
  /** Of the Service, under which addresses know it. */
  readonly name: string;
  /** Pods labelled to reach this may connect. */
  readonly as?: Destination;
  readonly ports: readonly Port[];
  /** Other engines and jobs that connect, by name. */
  readonly outsiders: readonly string[];
  readonly storage?: string;
}

const udp = (name: string, number: number): Port => ({ name, number, protocol: 'UDP' });
const mediaServers = ['livekit', 'livekit-inbound'];
const telephony = ['sip', 'sip-inbound'];

export const engines: readonly Engine[] = [
  {
    from: 'postgres',
    name: 'postgres',
    as: 'postgres',
    ports: [{ name: 'postgres', number: 5432 }],
    outsiders: [],
    storage: '10Gi',
  },
  {
    from: 'nats-1',
    name: 'nats',
    as: 'nats',
    ports: [
      { name: 'nats', number: 4222 },
      { name: 'monitor', number: 8222 },
    ],
    outsiders: [],
    storage: '10Gi',
  },
  {
    from: 'eventstore',
    name: 'eventstore',
    as: 'eventstore',
    ports: [{ name: 'eventstore', number: 2113 }],
    outsiders: [],
    storage: '10Gi',
  },
  {
    from: 'mongodb',
    name: 'mongodb',
    as: 'mongodb',
    ports: [{ name: 'mongodb', number: 27017 }],
    // a member of a replica set reaches itself under the name that others know it by
    outsiders: ['mongodb', 'mongodb-init'],
    storage: '10Gi',
  },
  {
    from: 's3',
    name: 's3',
    as: 'object-storage',
    ports: [{ name: 's3', number: 9000 }],
    outsiders: [],
    storage: '10Gi',
  },
  {
    from: 'redis',
    name: 'redis',
    ports: [{ name: 'redis', number: 6379 }],
    outsiders: [...mediaServers, ...telephony],
    storage: '1Gi',
  },
  {
    from: 'livekit',
    name: 'livekit',
    as: 'livekit',
    ports: [{ name: 'http', number: 7880 }, { name: 'media-tcp', number: 7881 }, udp('media-udp', 7882)],
    outsiders: ['sip', 'voice-runtime'],
  },
  {
    from: 'livekit-inbound',
    name: 'livekit-inbound',
    ports: [{ name: 'http', number: 7880 }, { name: 'media-tcp', number: 7883 }, udp('media-udp', 7884)],
    outsiders: ['sip-inbound', 'voice-runtime'],
  },
  { from: 'sip', name: 'sip', ports: [udp('sip', 5060)], outsiders: [] },
  { from: 'sip-inbound', name: 'sip-inbound', ports: [udp('sip', 5060)], outsiders: [] },
];

/** Jobs that prepare an engine; each reaches the engine that it is named after. */
export const preparations = [{ from: 'mongodb-init', engine: 'mongodb' }] as const;
