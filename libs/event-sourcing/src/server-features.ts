// Asks a server for its features. The client asks too, but keeps a refusal for as long as its connection lasts.
import type { EventStoreDBClient } from '@eventstore/db-client';
import { ServerFeatures } from '@eventstore/db-client/dist/Client/ServerFeatures.js';

type Ask = typeof ServerFeatures.createServerFeatures;

/** A method that the client offers to its own commands only. The pinned version of the client has it. */
interface Internals {
  execute(...ask: Ask): Promise<ServerFeatures>;
}

/** @throws the errors of the client */
export const askFeatures = (client: EventStoreDBClient): Promise<ServerFeatures> =>
  (client as unknown as Internals).execute(...ServerFeatures.createServerFeatures);
