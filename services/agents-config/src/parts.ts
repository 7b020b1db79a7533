// The tools that the controllers of this service share.
import type { Caller, VoiceCatalog } from '@parlance/contracts';
import type { Keyring } from '@parlance/crypto';
import type { UrlRules } from '@parlance/egress';
import type { MediaRooms } from '@parlance/media-rooms';
import type { Clock, Ids, Logger } from '@parlance/observability';
import type { Cursors, Database } from '@parlance/postgres';
import type { CallTokenIssuer, RpcClient } from '@parlance/rpc';
import type { Initiations } from './initiation/initiations.js';

/** A class only so that Nest can inject it by type. */
export class Parts {
  declare readonly db: Database;
  declare readonly cursors: Cursors;
  declare readonly rpc: RpcClient;
  declare readonly rooms: Pick<MediaRooms, 'createRoom' | 'browserToken'>;
  declare readonly clock: Clock;
  declare readonly ids: Ids;
  /** Address that browsers are given. */
  declare readonly mediaServerUrl: string;
  declare readonly maxAgents: number;
  /** With the operator's own models. */
  declare readonly catalog: VoiceCatalog;
  /** Seals the literal header values of webhooks. */
  declare readonly keyring: Keyring;
  /** The rules for addresses in a configuration. */
  declare readonly urls: Pick<UrlRules, 'refusal'>;
  declare readonly initiations: Initiations;
  declare readonly callTokens: Pick<CallTokenIssuer, 'issue'>;
  /** The addresses of the platform begin with it, as the voice runtime reaches them. */
  declare readonly runtimeBaseUrl: string;
  declare readonly logger: Logger;
  declare readonly callerFor: (organizationId: string) => Caller;
}
