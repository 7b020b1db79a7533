// The shared parts that the controllers of this service use.
import type { Caller } from '@parlance/contracts';
import type { Keyring } from '@parlance/crypto';
import type { Egress, UrlRules } from '@parlance/egress';
import type { Clock, Ids, Logger } from '@parlance/observability';
import type { Cursors, Database } from '@parlance/postgres';
import type { EventSeals, RpcClient } from '@parlance/rpc';
import type { InFlight, PersonalDataOfAgents } from '@parlance/service-host';
import type { ForeignMentions } from './secrets/foreign-mentions.js';
import type { SecretValues } from './secrets/secret-values.js';

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
  /** Opens secrets for a request that this process is about to send. */
  declare readonly secretValues: SecretValues;
  declare readonly mentions: ForeignMentions;
  /** The HTTP client for the systems that tools use. */
  declare readonly egress: Egress;
  declare readonly urls: UrlRules;
  declare readonly inFlight: InFlight;
  declare readonly personalData: PersonalDataOfAgents;
}
