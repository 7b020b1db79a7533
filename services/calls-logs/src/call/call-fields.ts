// What is known of one call.
import type { AssignedValue, EndedError } from '@parlance/contracts';
import type {
  Departure,
  Description,
  Ending,
  Ingested,
  IngestedPersonal,
  People,
  Source,
  ToolRun,
} from './call-events.js';
import type { ToolTurn } from './call-tool-turns.js';

/** The last times at which the participant was seen coming in and going out. */
export interface Presence {
  readonly kind: 'agent' | 'person' | 'other';
  readonly inAt: string | null;
  readonly outAt: string | null;
  /** The side that ended the last participation, where the media server gave a reason. */
  readonly leftBy?: Departure;
  /** The last participation ended with a broken connection. */
  readonly lost?: true;
}

export interface Call {
  /** `closing`: the room is gone and the end has not been told yet. */
  readonly phase: 'live' | 'closing' | 'ended';
  readonly description: Description;
  readonly source: Source;
  /** Null once the call was deleted, or its key destroyed. */
  readonly people: People | null;
  readonly answeredAt: string | null;
  readonly presences: Readonly<Record<string, Presence>>;
  readonly present: number;
  readonly agentHasJoined: boolean;
  readonly endRequestedBy: string | null;
  readonly closedAt: string | null;
  /** The time at which this service learned that the room is gone, which may be long after it went. */
  readonly closingSince: string | null;
  readonly end: (Ending & { readonly error: EndedError | null }) | null;
  /** Parts of a transcript that have arrived, of the hand-over that came last. */
  readonly transcript: {
    readonly ingestId: string;
    readonly parts: number;
    /** Absent from a transcript of release 0.1.0. */
    readonly lastSeq?: number;
    readonly turns?: number;
    readonly tools?: readonly ToolTurn[];
  } | null;
  readonly ingested: { readonly data: Ingested; readonly personal: IngestedPersonal | null } | null;
  /** Absent until a tool has run. */
  readonly toolRuns?: {
    readonly kept: readonly ToolRun[];
    /** Executions of the runs beyond those, which are only counted. */
    readonly more: readonly string[];
  };
  /** Absent until the initiation webhook has answered. */
  readonly initiation?: { readonly at: string; readonly variables: Readonly<Record<string, string>> };
  /** The variables that tools assigned. Absent until one was. */
  readonly assigned?: Readonly<Record<string, AssignedValue>>;
  /** Absent while the recording is kept, and where there never was one. */
  readonly recordingDeletedAt?: string;
  readonly deletedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}
