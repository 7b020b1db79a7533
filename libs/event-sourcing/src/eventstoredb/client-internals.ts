// The parts of @eventstore/db-client that its public interface does not offer: the protocol's messages and stubs, and four functions.
// The version of the package is pinned, and client-internals.spec.ts fails when a newer one has changed any of them.
import type { EventStoreDBClient } from '@eventstore/db-client';
import { parseConnectionString } from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import { ServerFeatures } from '@eventstore/db-client/dist/Client/ServerFeatures.js';
import { unpackToCommandError } from '@eventstore/db-client/dist/streams/appendToStream/unpackError.js';
import { parseUUID } from '@eventstore/db-client/dist/utils/grpcUUID.js';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';

export { default as gossipGrpc } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
export { default as gossip } from '@eventstore/db-client/generated/gossip_pb.js';
export { default as monitoringGrpc } from '@eventstore/db-client/generated/monitoring_grpc_pb.js';
export { default as monitoring } from '@eventstore/db-client/generated/monitoring_pb.js';
export { default as shared } from '@eventstore/db-client/generated/shared_pb.js';
export { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
export { default as streams } from '@eventstore/db-client/generated/streams_pb.js';
export { parseConnectionString, parseUUID, unpackToCommandError };

type CallMetadata = NonNullable<Parameters<StreamsClient['batchAppend']>[0]>;

type AskFeatures = typeof ServerFeatures.createServerFeatures;

/** Methods that the client shares with its own commands only. */
interface Internals {
  /** Runs an action on the current connection. Connects first, and connects anew after an error that asks for it. */
  execute<T>(
    client: typeof StreamsClient,
    name: string,
    action: (client: StreamsClient) => Promise<T>,
  ): Promise<T>;
  execute(...ask: AskFeatures): Promise<ServerFeatures>;
  callArguments(base: object, options: object): [CallMetadata, object];
  getChannel(): Promise<{ close(): void }>;
}

export const internalsOf = (client: EventStoreDBClient): Internals => client as unknown as Internals;

/** Asks the server for its features. The client asks too, but keeps a refusal for as long as its connection lasts. */
export const askFeatures = (client: EventStoreDBClient): Promise<ServerFeatures> =>
  internalsOf(client).execute(...ServerFeatures.createServerFeatures);
