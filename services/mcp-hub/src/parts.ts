// The shared parts that the controllers of this service use.
import type { Caller } from '@parlance/contracts';
import type { Keyring } from '@parlance/crypto';
import type { UrlRules } from '@parlance/egress';
import type { Clock, Ids, Logger } from '@parlance/observability';
import type { Cursors, Database } from '@parlance/postgres';
import type { EventSeals, RpcClient } from '@parlance/rpc';
import type { InFlight, PersonalDataOfAgents } from '@parlance/service-host';
import type { ConnectionRow } from './connections/connection-record.js';
import type { Client } from './oauth/clients.js';
import type { TokenSource } from './oauth/discovery.js';
import type { OAuthParts } from './oauth/login.js';
import type { Session } from './protocol/session.js';
import type { Sessions } from './protocol/sessions.js';

/** A class only so that Nest can inject it by type. */
export class Parts {
  declare readonly db: Database;
  declare readonly cursors: Cursors;
  declare readonly rpc: RpcClient;
  declare readonly clock: Clock;
  declare readonly ids: Ids;
  declare readonly seals: EventSeals;
  declare readonly logger: Logger;
  declare readonly callerFor: (organizationId: string) => Caller;
  declare readonly keyring: Keyring;
  declare readonly urls: UrlRules;
  declare readonly sessions: Sessions;
  declare readonly openSession: (connection: ConnectionRow, timeoutMs: number) => Promise<Session>;
  /** The challenge of a connection's server for a request without a token; undefined where it makes none. */
  declare readonly challengeOf: (connection: ConnectionRow) => Promise<string | undefined>;
  /** @throws AppError SECRET_NOT_FOUND, SECRET_ORIGIN_NOT_ALLOWED */
  declare readonly givenClient: (
    connection: ConnectionRow,
    source: TokenSource,
  ) => Promise<Client | undefined>;
  declare readonly oauth: OAuthParts;
  declare readonly inFlight: InFlight;
  declare readonly personalData: PersonalDataOfAgents;
}
