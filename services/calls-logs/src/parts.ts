// The tools that the controllers and background parts of this service share.
import type { Caller } from '@parlance/contracts';
import type { PersonalData } from '@parlance/crypto';
import type { MediaRooms } from '@parlance/media-rooms';
import type { Clock, Ids, Logger } from '@parlance/observability';
import type { Cursors, Database } from '@parlance/postgres';
import type { RpcClient } from '@parlance/rpc';
import type { AgentNames } from './agent-names.js';
import type { Calls } from './call/call-repository.js';
import type { Transcripts } from './calls/transcripts.js';
import type { CallEraser } from './erasure/erase-calls.js';
import type { LiveTurns } from './live/live-turns.js';
import type { ModelsOfOrganizations } from './models/organization-models.js';
import type { CallDocuments } from './read-models/call-documents.js';
import type { Recordings } from './recordings/recordings.js';
import type { TranscriptRedactor } from './redaction/transcript-redactor.js';
import type { BrowserCalls } from './rooms/browser-calls.js';
import type { RoomReports } from './rooms/room-report.js';
import type { Timelines } from './timeline/timelines.js';
import type { ReplayOptions } from './webhooks/history/replay.js';
import type { TestOptions } from './webhooks/trying/send-test.js';

/** A class only so that Nest can inject it by type. */
export class Parts {
  declare readonly db: Database;
  /** A key for each call and each organization. */
  declare readonly personalData: PersonalData;
  declare readonly calls: Calls;
  declare readonly documents: CallDocuments;
  declare readonly transcripts: Transcripts;
  declare readonly liveTurns: LiveTurns;
  declare readonly redactor: TranscriptRedactor;
  declare readonly recordings: Recordings;
  declare readonly timelines: Timelines;
  /** Resolves when the call index holds all that is recorded by now. @throws AppError SERVICE_UNAVAILABLE */
  declare readonly untilIndexed: () => Promise<void>;
  /** The same of the keys that calls are searched by. */
  declare readonly untilSearchable: () => Promise<void>;
  /** Resolves when the streams hold what the media server has reported of the organization's calls by now. @throws AppError SERVICE_UNAVAILABLE */
  declare readonly untilReportsRecorded: (organizationId: string) => Promise<void>;
  /** Stored, a report is recorded within a second, or after the next start. */
  declare readonly roomReports: { readonly store: (reports: RoomReports) => Promise<void> };
  /** Of calls whose room names them alone. */
  declare readonly browserCalls: Pick<BrowserCalls, 'contextOf'>;
  declare readonly eraser: Pick<CallEraser, 'erase'>;
  declare readonly agentNames: AgentNames;
  /** Prices of models, also of those that organizations bring. */
  declare readonly models: Pick<ModelsOfOrganizations, 'pricesFor'>;
  declare readonly rooms: Pick<MediaRooms, 'deleteRoom' | 'participants' | 'rooms'>;
  declare readonly rpc: RpcClient;
  declare readonly logger: Logger;
  declare readonly cursors: Cursors;
  declare readonly clock: Clock;
  declare readonly ids: Ids;
  declare readonly callerFor: (organizationId: string) => Caller;
  /** Sends messages to webhooks again. */
  declare readonly replays: ReplayOptions;
  /** Sends test messages to webhooks. */
  declare readonly tests: TestOptions;
}
