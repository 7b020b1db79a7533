// The tools that the controllers of this service share.
import type { Caller } from '@parlance/contracts';
import type { MediaRooms } from '@parlance/media-rooms';
import type { Clock, Ids, Logger } from '@parlance/observability';
import type { Cursors, Database } from '@parlance/postgres';
import type { RpcClient } from '@parlance/rpc';
import type { RateCatalog } from './pricing/rate-catalog.js';
import type { Providers } from './providers.js';
import type { Purchases } from './purchase/purchases.js';
import type { Quotes } from './quotes/quotes.js';
import type { Releases } from './release/releases.js';
import type { Trunks } from './trunks/trunk-keeper.js';

/** A class only so that Nest can inject it by type. */
export class Parts {
  declare readonly db: Database;
  declare readonly cursors: Cursors;
  declare readonly rpc: RpcClient;
  declare readonly clock: Clock;
  declare readonly ids: Ids;
  declare readonly logger: Logger;
  declare readonly providers: Providers;
  declare readonly quotes: Quotes;
  declare readonly catalog: RateCatalog;
  declare readonly billing: 'hosted' | 'own';
  /** Milliseconds for which a dialer may act on the answer that a number may be used. */
  declare readonly dialGraceMs: number;
  /** The media server's trunk for calls through the provider; null while there is none. */
  declare readonly trunkIdFor: Trunks['idFor'];
  declare readonly rooms: Pick<MediaRooms, 'unrouteInbound'>;
  declare readonly inboundCallsPerMinute: number;
  declare readonly purchases: Purchases;
  declare readonly releases: Releases;
  declare readonly callerFor: (organizationId: string) => Caller;
}
