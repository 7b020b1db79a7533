// The commands of a call. Facts come from the dialer, the media server and the voice runtime, in any order and more
// than once. Wishes come from people.
import type { EndedError, EndedReason } from '@parlance/contracts';
import type { ReportedEnd } from './call-endings.js';
import type {
  Analyzed,
  AnalyzedPersonal,
  Departure,
  Description,
  Ingested,
  IngestedPersonal,
  People,
  RecordedTurn,
  Source,
  ToolRun,
} from './call-events.js';

/** The time of the command, ISO 8601. Every command carries it, because a decider knows no clock. */
interface Now {
  readonly now: string;
}

/** The description of a call by one source. */
export interface Described {
  readonly source: Source;
  readonly description: Description;
  readonly people: People;
}

export interface TranscriptPart {
  readonly part: number;
  readonly turns: readonly RecordedTurn[];
}

export interface DescribeCall extends Now, Described {
  readonly type: 'DescribeCall';
}

/** Something that the media server saw in the room of a call. */
export type RoomFact =
  | { readonly kind: 'opened' }
  | { readonly kind: 'closed'; readonly at: string }
  | {
      readonly kind: 'moved';
      /** Hash of the identity. */
      readonly participant: string;
      readonly as: 'agent' | 'person' | 'other';
      readonly moved: 'in' | 'out';
      readonly at: string;
      /** The side that ended the participation, where the media server gave a reason. */
      readonly leftBy?: Departure;
      /** The connection of a telephone broke. */
      readonly lost?: true;
    };

/** Facts of one room, in any order; the description is that of its earliest report. */
export interface RecordRoomFacts extends Now, Described {
  readonly type: 'RecordRoomFacts';
  readonly facts: readonly RoomFact[];
}

export interface RecordAnswer extends Now {
  readonly type: 'RecordAnswer';
  readonly organizationId: string;
  readonly answeredAt: string;
  readonly providerCallId: string | null;
}

/** The dialer ended the attempt behind the call. */
export interface SettleAttempt extends Now {
  readonly type: 'SettleAttempt';
  readonly organizationId: string;
  readonly end: ReportedEnd & { readonly endedReason: EndedReason };
  readonly error: EndedError | null;
}

/** The room was looked for and is not there. */
export interface RecordRoomLost extends Now {
  readonly type: 'RecordRoomLost';
}

/** Ends a call without a told end, if its room has been gone for long enough. */
export interface EndOverdue extends Now {
  readonly type: 'EndOverdue';
}

export interface RequestEnd extends Now {
  readonly type: 'RequestEnd';
  readonly organizationId: string;
  readonly by: string;
  /**
   * The time at which the dialer cut the dial off. Null for a call that was not being dialled any more, or never was.
   */
  readonly dialCancelledAt: string | null;
}

/** The answer of the initiation webhook to a question about the call. */
export interface InitiationFacts {
  readonly agentId: string;
  readonly at: string;
  readonly dynamicVariables: Readonly<Record<string, string>>;
}

/** What the platform itself knows of a call when it is handed over. Some of it may be recorded already. */
export interface PlatformFacts {
  readonly initiation: InitiationFacts | null;
  readonly toolRuns: readonly { readonly agentId: string; readonly run: ToolRun }[];
}

/** Earlier parts of a transcript that does not fit into one append. */
export interface RecordTranscript extends Now, Described {
  readonly type: 'RecordTranscript';
  readonly ingestId: string;
  /** Stored with the first part: until the last part is there, the call must not look as if it went on. */
  readonly end: ReportedEnd;
  readonly error: EndedError | null;
  readonly costMicros: number | null;
  readonly parts: readonly TranscriptPart[];
  readonly facts?: PlatformFacts;
}

export interface IngestCall extends Now, Described {
  readonly type: 'IngestCall';
  readonly ingestId: string;
  readonly end: ReportedEnd;
  readonly error: EndedError | null;
  /** The parts that have not been recorded before; numbered on. */
  readonly parts: readonly TranscriptPart[];
  readonly facts?: PlatformFacts;
  readonly details: Omit<Ingested, 'ingestId' | keyof ReportedEnd | 'source'>;
  readonly personal: IngestedPersonal;
}

/** The platform has analyzed the transcript of a hand-over, or gave up. */
export interface RecordAnalysis extends Now, Omit<Analyzed, 'recordedAt'> {
  readonly type: 'RecordAnalysis';
  readonly organizationId: string;
  readonly personal: AnalyzedPersonal;
}

export interface RecordInitiation extends Now, InitiationFacts {
  readonly type: 'RecordInitiation';
  readonly organizationId: string;
}

/** A tool ran in the call. */
export interface RecordToolRun extends Now {
  readonly type: 'RecordToolRun';
  readonly organizationId: string;
  readonly agentId: string;
  readonly run: ToolRun;
}

export interface DeleteCall extends Now {
  readonly type: 'DeleteCall';
  readonly organizationId: string;
  readonly by: string;
}

/** The file of a recording was deleted from the object storage. */
export interface RecordRecordingDeleted extends Now {
  readonly type: 'RecordRecordingDeleted';
  readonly organizationId: string;
  readonly storageKey: string;
}

export type CallCommand =
  | DescribeCall
  | RecordRoomFacts
  | RecordAnswer
  | SettleAttempt
  | RecordRoomLost
  | EndOverdue
  | RequestEnd
  | RecordTranscript
  | IngestCall
  | RecordAnalysis
  | RecordInitiation
  | RecordToolRun
  | RecordRecordingDeleted
  | DeleteCall;
