// What the controllers of this service work with.
import type { Clock, Ids, Logger } from '@parlance/observability';
import type { Database } from '@parlance/persistence';
import type { RpcClient } from '@parlance/rpc';
import type { Search } from './search/search.js';

/** A class only so that Nest can inject it by type. */
export class Parts {
  declare readonly db: Database;
  declare readonly rpc: RpcClient;
  declare readonly clock: Clock;
  declare readonly ids: Ids;
  declare readonly logger: Logger;
  declare readonly search: Search;
  declare readonly platformToken: (organizationId: string) => Promise<string>;
}
