// The tools that the controllers of this service share.
import type { Caller } from '@parlance/contracts';
import type { Keyring } from '@parlance/crypto';
import type { UrlRules } from '@parlance/egress';
import type { MediaRooms } from '@parlance/media-rooms';
import type { KeySource, ModelEgress, ModelsFile } from '@parlance/models';
import type { Clock, Ids, Logger } from '@parlance/observability';
import type { Cursors, Database } from '@parlance/postgres';
import type { CallTokenIssuer, EventSeals, RpcClient } from '@parlance/rpc';
import type { WebhookSecrets } from '@parlance/webhooks';
import type { AgentLimit } from './agents/agent-limit.js';
import type { Initiations } from './initiation/initiations.js';
import type { Catalogs } from './models/catalogs.js';

/** A class only so that Nest can inject it by type. */
export class Parts {
  declare readonly db: Database;
  declare readonly cursors: Cursors;
  declare readonly rpc: RpcClient;
  declare readonly rooms: Pick<MediaRooms, 'createRoom' | 'browserToken'>;
  declare readonly clock: Clock;
  declare readonly ids: Ids;
  declare readonly seals: EventSeals;
  /** Address that browsers are given. */
  declare readonly mediaServerUrl: string;
  declare readonly agentLimit: AgentLimit;
  /** With the models of the operator and of each organization. */
  declare readonly catalogs: Catalogs;
  /** The operator's own models. */
  declare readonly modelsFile: ModelsFile;
  /** Where the keys of vendors are, for tests of their models. */
  declare readonly modelKeys: KeySource;
  /** The way out to models, for tests of them. */
  declare readonly modelEgress: Pick<ModelEgress, 'of'>;
  /** Models that one organization may have. */
  declare readonly maxModels: number;
  /** Opens the secrets of organizations. */
  declare readonly secrets: Pick<WebhookSecrets, 'open'>;
  /** Seals the literal header values of webhooks. */
  declare readonly keyring: Keyring;
  /** The rules for addresses in a configuration. */
  declare readonly urls: Pick<UrlRules, 'refusal' | 'check'>;
  declare readonly initiations: Initiations;
  declare readonly callTokens: Pick<CallTokenIssuer, 'issue'>;
  /** The addresses of the platform begin with it, as the voice runtime reaches them. */
  declare readonly runtimeBaseUrl: string;
  declare readonly logger: Logger;
  declare readonly callerFor: (organizationId: string) => Caller;
}
