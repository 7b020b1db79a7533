// The gRPC server: which services exist, what each method is answered by, and what is refused as not implemented.

import gossip from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import monitoring from '@eventstore/db-client/generated/monitoring_grpc_pb.js';
import operations from '@eventstore/db-client/generated/operations_grpc_pb.js';
import persistent from '@eventstore/db-client/generated/persistent_grpc_pb.js';
import projections from '@eventstore/db-client/generated/projections_grpc_pb.js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import users from '@eventstore/db-client/generated/users_grpc_pb.js';
import {
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type ServiceError,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { NotImplementedError } from '../errors.js';
import type { EventStore } from '../event-store.js';
import { appendHandler, deleteHandler, tombstoneHandler } from './append.js';
import { batchAppendHandler } from './batch-append.js';
import { readHandler } from './read.js';
import { serviceError } from './status.js';

/** As in EventStoreDB: a message may be larger than the largest append, so that the append can be refused by name. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** The release whose behaviour is followed; clients switch features by method, not by this text. */
const FOLLOWED_VERSION = '23.10.0';

/** How long answers may still be on their way to clients when the server stops. */
const SHUTDOWN_GRACE_MS = 50;

const NOT_IMPLEMENTED: ReadonlyArray<readonly [string, ServiceDefinition]> = [
  ['cluster gossip', gossip.GossipService],
  ['monitoring', monitoring.MonitoringService],
  ['operations', operations.OperationsService],
  ['persistent subscriptions', persistent.PersistentSubscriptionsService],
  ['projections', projections.ProjectionsService],
  ['users', users.UsersService],
];

/** A server over an open store, not bound to a port yet. */
export function createServer(store: EventStore): Server {
  const server = new Server({
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': -1,
  });
  // Recorded events are kept encoded, so reads pass bytes on instead of building messages from them.
  const read = { ...streamsService.StreamsService.read, responseSerialize: (message: Buffer) => message };
  server.addService(
    { ...streamsService.StreamsService, read },
    {
      read: readHandler(store),
      append: appendHandler(store),
      batchAppend: batchAppendHandler(store),
      delete: deleteHandler(store),
      tombstone: tombstoneHandler(store),
    },
  );
  server.addService(featuresService.ServerFeaturesService, {
    getSupportedMethods: (
      _call: unknown,
      answer: (error: null, methods: features.SupportedMethods) => void,
    ) => answer(null, supportedMethods()),
  });
  for (const [name, service] of NOT_IMPLEMENTED) server.addService(service, refusing(name, service));
  return server;
}

/** Listens; resolves with the port, which is a free one for port 0. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return new Promise((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, bound) => {
      if (error) reject(error);
      else resolve(bound);
    });
  });
}

/** Lets calls that are being answered finish for a moment, then ends the others, subscriptions above all. */
export function shutDown(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.forceShutdown(), SHUTDOWN_GRACE_MS);
    server.tryShutdown(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function supportedMethods(): features.SupportedMethods {
  const methods = Object.values(streamsService.StreamsService).map(({ path }) => {
    const [, service = '', method = ''] = path.split('/');
    return new features.SupportedMethod()
      .setServiceName(service.toLowerCase())
      .setMethodName(method.toLowerCase());
  });
  return new features.SupportedMethods().setEventStoreServerVersion(FOLLOWED_VERSION).setMethodsList(methods);
}

interface Failing {
  emit(event: 'error', error: ServiceError): unknown;
}

/** Handlers for every method of a service: UNIMPLEMENTED with a sentence that says what is missing. */
function refusing(name: string, service: ServiceDefinition): UntypedServiceImplementation {
  const handler = (call: Failing, callback?: (error: ServiceError) => void): void => {
    const error = serviceError(new NotImplementedError(`the sandbox event store does not implement ${name}`));
    if (callback) callback(error);
    else call.emit('error', error);
  };
  // The definition does not say at compile time which of the four call shapes a method has; `handler` serves all.
  return Object.fromEntries(
    Object.keys(service).map((method) => [method, handler]),
  ) as unknown as UntypedServiceImplementation;
}
