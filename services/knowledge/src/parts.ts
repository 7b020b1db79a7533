// The parts that the controllers of this service work with.
import type { Caller } from '@parlance/contracts';
import type { UrlRules } from '@parlance/egress';
import type { ObjectStorage, UploadOffers } from '@parlance/object-storage';
import type { Clock, Ids, Logger } from '@parlance/observability';
import type { Cursors, Database } from '@parlance/postgres';
import type { RpcClient } from '@parlance/rpc';
import type { Search } from './search/search.js';

/** A class only so that Nest can inject it by type. */
export class Parts {
  declare readonly db: Database;
  declare readonly cursors: Cursors;
  declare readonly rpc: RpcClient;
  declare readonly clock: Clock;
  declare readonly ids: Ids;
  declare readonly logger: Logger;
  declare readonly search: Search;
  /** The rules for the addresses that a source may name. */
  declare readonly urls: Pick<UrlRules, 'refusal'>;
  /** Undefined where no storage is configured; uploads are then refused. */
  declare readonly storage: ObjectStorage | undefined;
  declare readonly uploads: UploadOffers;
  declare readonly maxSourcesPerAgent: number;
  /** Of one organization, unless the operator set another quota for it. */
  declare readonly maxChunks: number;
  declare readonly callerFor: (organizationId: string) => Caller;
}
