// Every real engine that a suite can be run against on this machine.
import { supportedFrom } from '@parlance/observability';
import { eventStoreContainer, liveKitContainer, mongoContainer, s3Container } from './containers.js';
import { liveKit } from './livekit-programs.js';
import {
  eventStored,
  ferretDbOnPostgres,
  ferretDbOnSqlite,
  mongod,
  natsServer,
  postgresServer,
  s3Server,
} from './programs.js';
import type { RealEngine } from './real-engine.js';

export const realEngines: readonly RealEngine[] = [
  {
    engine: 'eventstore',
    title: 'EventStoreDB',
    programs: 'eventstored',
    oldest: supportedFrom.EventStoreDB,
    installed: eventStored,
    inContainer: eventStoreContainer,
  },
  {
    engine: 'nats',
    title: 'NATS',
    programs: 'nats-server',
    oldest: supportedFrom.NATS,
    leftOutOfTests: 'the integration tests of every run talk to it',
    installed: natsServer,
  },
  {
    engine: 'postgres',
    title: 'PostgreSQL',
    programs: 'postgres and initdb',
    oldest: supportedFrom.PostgreSQL,
    installed: postgresServer,
  },
  {
    engine: 'mongodb',
    title: 'MongoDB',
    programs: 'mongod',
    oldest: supportedFrom.MongoDB,
    installed: mongod,
    inContainer: mongoContainer,
  },
  {
    engine: 'mongodb',
    title: 'FerretDB on SQLite',
    programs: 'ferretdb',
    oldest: '1.24',
    leftOutOfTests: 'it takes minutes on a busy machine',
    installed: ferretDbOnSqlite,
  },
  {
    engine: 'mongodb',
    title: 'FerretDB on PostgreSQL',
    programs: 'ferretdb',
    oldest: '1.24',
    installed: ferretDbOnPostgres,
  },
  {
    engine: 's3',
    title: 'S3',
    programs: 'versitygw or minio',
    installed: s3Server,
    inContainer: s3Container,
  },
  {
    engine: 'livekit',
    title: 'LiveKit',
    programs: 'livekit-server, livekit-sip, redis-server, and sipp for calls',
    oldest: '1.13',
    installed: liveKit,
    inContainer: liveKitContainer,
  },
];
