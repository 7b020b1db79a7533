// What a server says of itself. The client asks too, but keeps a refusal for as long as its connection lasts.
import type { EventStoreDBClient } from '@eventstore/db-client';
import { ServerFeatures } from '@eventstore/db-client/dist/Client/ServerFeatures.js';

type Ask = typeof ServerFeatures.createServerFeatures;

/** What the client shows to its own commands only. It is a matter of the pinned version of the client. */
interface Internals {
  execute(...ask: Ask): Promise<ServerFeatures>;
}

/** @throws the errors of the client */
export const askFeatures = (client: EventStoreDBClient): Promise<ServerFeatures> =>
  (client as unknown as Internals).execute(...ServerFeatures.createServerFeatures);
