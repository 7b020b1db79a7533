// What the controllers of this service work with.
import type { MediaRooms } from '@parlance/media-rooms';
import type { Clock, Ids } from '@parlance/observability';
import type { Database } from '@parlance/persistence';
import type { RpcClient } from '@parlance/rpc';

/** A class only so that Nest can inject it by type. */
export class Parts {
  declare readonly db: Database;
  declare readonly rpc: RpcClient;
  declare readonly rooms: Pick<MediaRooms, 'previewToken'>;
  declare readonly clock: Clock;
  declare readonly ids: Ids;
  /** Address that browsers are given. */
  declare readonly mediaServerUrl: string;
  declare readonly maxAgents: number;
  declare readonly hostsAllowedInside: readonly string[];
  declare readonly platformToken: (organizationId: string) => Promise<string>;
}
