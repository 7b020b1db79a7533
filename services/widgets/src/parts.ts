// The parts that the controllers of this service work with.
import type { Caller } from '@parlance/contracts';
import type { MediaRooms } from '@parlance/media-rooms';
import type { Clock, Ids, Logger } from '@parlance/observability';
import type { Cursors, Database } from '@parlance/postgres';
import type { EventSeals, RpcClient } from '@parlance/rpc';
import type { OrganizationSecrets } from '@parlance/webhooks';
import type { TextRuntime } from './conversations/text-runtime.js';
import type { TurnsOfSessions } from './conversations/turns-of-sessions.js';
import type { SessionContexts } from './sessions/session-contexts.js';
import type { Turns } from './visitors/turns.js';
import type { KnownAgents } from './widgets/agents.js';
import type { EnabledWidgets } from './widgets/enabled-widgets.js';
import type { InstalledModes } from './widgets/widget-record.js';

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
  declare readonly rooms: MediaRooms;
  /** The address at which browsers reach the media server. */
  declare readonly mediaServerUrl: string;
  /** The address at which browsers reach the gateway. */
  declare readonly baseUrl: string;
  declare readonly agents: KnownAgents;
  declare readonly widgets: EnabledWidgets;
  declare readonly secrets: Pick<OrganizationSecrets, 'signing'>;
  declare readonly sessionTurns: TurnsOfSessions;
  declare readonly sessionContexts: SessionContexts;
  /** Undefined where no runtime answers text. */
  declare readonly textRuntime: TextRuntime | undefined;
  declare readonly installedModes: InstalledModes;
  /** Visitors of one widget are admitted one after the other. */
  declare readonly turns: Turns;
}
