// The decisions of a call, complete: every command in every state of a call.
import { describe, expect, it } from '@jest/globals';
import { AppError } from '@parlance/errors';
import { fold } from '@parlance/event-sourcing';
import {
  agentIn,
  analysis,
  answered,
  busy,
  closed,
  heldCall,
  ingest,
  initiation,
  opened,
  pendingCall,
  personIn,
  personOut,
  recordedCall,
  recordingDeleted,
  roomFact,
  started,
  toolRun,
} from '../testing/facts.js';
import { history, lost, overdue, remove, requestEnd, transcript } from '../testing/told.js';
import { callDecider } from './call.js';
import type { CallCommand } from './call-commands.js';
import type { CallEvent } from './call-events.js';
import type { CallState } from './call-state.js';

const talking = [started, answered, agentIn, personIn];

/** The earlier reports of a call, and the phase after them. */
const states: Readonly<Record<string, readonly [CallState['phase'], readonly CallCommand[]]>> = {
  absent: ['absent', []],
  ringing: ['live', [started]],
  talking: ['live', talking],
  // An operator has asked for the end.
  ending: ['live', [...talking, requestEnd]],
  // The room is gone; the end is still to be told.
  closing: ['closing', [...talking, closed]],
  // The dialer told the end.
  refused: ['ended', [started, busy]],
  // No report of the end came in time.
  inferred: ['ended', [...talking, closed, overdue(60)]],
  ingested: ['ended', heldCall],
  // The hand-over names a recording.
  recorded: ['ended', recordedCall],
  // The platform's analysis is still to come.
  pending: ['ended', pendingCall],
  // A person deleted the entry of the log, before the end and after it.
  removed: ['live', [...talking, remove]],
  gone: ['ended', [...heldCall, remove]],
  // Deleted in the log, with a recording that is still in the storage.
  'gone, kept': ['ended', [...recordedCall, remove]],
};

const othersWords = { ...ingest, ingestId: 'other', personal: { ...ingest.personal, digest: 'other' } };
const somebodyIn = roomFact({
  kind: 'moved',
  participant: 'q',
  as: 'person',
  moved: 'in',
  at: '2026-03-01T10:00:20.000Z',
});

const commands: Readonly<Record<string, CallCommand>> = {
  DescribeCall: started,
  'RecordRoomFacts opened': opened,
  'RecordRoomFacts joined': somebodyIn,
  'RecordRoomFacts left': personOut,
  'RecordRoomFacts closed': closed,
  'RecordRoomFacts of all': {
    ...opened,
    facts: [opened, somebodyIn, personOut, closed].flatMap(({ facts }) => facts),
  },
  RecordAnswer: answered,
  SettleAttempt: busy,
  RecordRoomLost: lost,
  'EndOverdue too early': overdue(29),
  EndOverdue: overdue(60),
  RequestEnd: requestEnd,
  RecordTranscript: transcript,
  IngestCall: ingest,
  'IngestCall otherwise': othersWords,
  RecordToolRun: toolRun(),
  RecordInitiation: initiation,
  RecordAnalysis: analysis,
  RecordRecordingDeleted: recordingDeleted,
  DeleteCall: remove,
};

/** Does not compile while a command is missing. */
const everyCommand: Readonly<Record<CallCommand['type'], true>> = {
  DescribeCall: true,
  RecordRoomFacts: true,
  RecordAnswer: true,
  SettleAttempt: true,
  RecordRoomLost: true,
  EndOverdue: true,
  RequestEnd: true,
  RecordTranscript: true,
  IngestCall: true,
  RecordToolRun: true,
  RecordInitiation: true,
  RecordAnalysis: true,
  RecordRecordingDeleted: true,
  DeleteCall: true,
};
const commandCalled = (row: string): CallCommand => {
  const command = commands[row];
  if (command === undefined) throw new Error(`no command is called ${row}`);
  return command;
};
/** A deleted call is not found any more. */
const repeated = ({ type }: CallCommand): string => (type === 'DeleteCall' ? '404' : '-');

const letters: Readonly<Record<CallEvent['type'], string>> = {
  CallDescribed: 'D',
  CallAnswered: 'A',
  ParticipantMoved: 'M',
  CallEndRequested: 'R',
  RoomClosed: 'C',
  CallEnded: 'E',
  TranscriptRecorded: 'T',
  CallIngested: 'I',
  ToolRan: 'U',
  InitiationAnswered: 'N',
  CallAnalyzed: 'Z',
  RecordingDeleted: 'F',
  CallDeleted: 'X',
};

/** One letter for each event, in order; `-` for nothing; 404 for CALL_NOT_FOUND, 409 for INGEST_CONFLICT. */
const table = `
                           | absent | ringing | talking | ending | closing | refused | inferred | ingested | recorded | pending  | removed | gone | gone, kept
  DescribeCall             | D      | -       | -       | -      | -       | -       | -        | -        | -        | -        | -       | -    | -
  RecordRoomFacts opened   | D      | -       | -       | -      | -       | -       | -        | -        | -        | -        | -       | -    | -
  RecordRoomFacts joined   | DM     | M       | M       | M      | M       | -       | -        | -        | -        | -        | M       | -    | -
  RecordRoomFacts left     | DM     | M       | M       | M      | M       | -       | -        | -        | -        | -        | M       | -    | -
  RecordRoomFacts closed   | DC     | C       | C       | C      | -       | -       | -        | -        | -        | -        | C       | -    | -
  RecordRoomFacts of all   | DMMC   | MMC     | MMC     | MMC    | MM      | -       | -        | -        | -        | -        | MMC     | -    | -
  RecordAnswer             | 404    | AD      | -       | -      | -       | D       | -        | -        | -        | -        | -       | -    | -
  SettleAttempt            | 404    | E       | E       | E      | E       | -       | -        | -        | -        | -        | E       | -    | -
  RecordRoomLost           | -      | C       | C       | C      | -       | -       | -        | -        | -        | -        | C       | -    | -
  EndOverdue too early     | -      | -       | -       | -      | -       | -       | -        | -        | -        | -        | -       | -    | -
  EndOverdue               | -      | -       | -       | -      | E       | -       | -        | -        | -        | -        | -       | -    | -
  RequestEnd               | 404    | R       | R       | -      | -       | -       | -        | -        | -        | -        | 404     | 404  | 404
  RecordTranscript         | DET    | ET      | ET      | ET     | ET      | 409     | T        | -        | -        | -        | -       | -    | -
  IngestCall               | DTEI   | TEI     | TEI     | TEI    | TEI     | 409     | TI       | -        | -        | -        | E       | -    | -
  IngestCall otherwise     | DTEI   | TEI     | TEI     | TEI    | TEI     | 409     | TI       | 409      | 409      | 409      | E       | -    | -
  RecordToolRun            | 404    | U       | U       | U      | U       | U       | U        | UT       | UT       | UT       | -       | -    | -
  RecordInitiation         | 404    | N       | N       | N      | N       | N       | N        | N        | N        | N        | -       | -    | -
  RecordAnalysis           | -      | -       | -       | -      | -       | -       | -        | -        | -        | Z        | -       | -    | -
  RecordRecordingDeleted   | -      | -       | -       | -      | -       | -       | -        | -        | F        | -        | -       | -    | F
  DeleteCall               | 404    | X       | X       | X      | X       | X       | X        | X        | X        | X        | 404     | 404  | 404
`;
const [header = [], ...rows] = table
  .split('\n')
  .filter((line) => line.includes('|'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

const stateOf = (name: string): { readonly before: readonly CallEvent[]; readonly state: CallState } => {
  const before = history(...(states[name]?.[1] ?? []));
  return { before, state: fold(callDecider, before) };
};

const statuses = new Map([
  ['CALL_NOT_FOUND', '404'],
  ['INGEST_CONFLICT', '409'],
]);
const outcome = (command: CallCommand, state: CallState): readonly CallEvent[] | string => {
  try {
    return callDecider.decide(command, state);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return statuses.get(error.code) ?? error.code;
  }
};
const spelled = (decided: readonly CallEvent[] | string): string => {
  if (typeof decided === 'string') return decided;
  return decided.map(({ type }) => letters[type]).join('') || '-';
};

describe('the table', () => {
  it('has every state, of every phase', () => {
    expect(header.slice(1)).toEqual(Object.keys(states));
    const phases = Object.entries(states).map(([name, [phase]]) => [stateOf(name).state.phase, phase]);
    for (const [actual, declared] of phases) expect(actual).toBe(declared);
    expect(new Set(phases.flat())).toEqual(new Set(['absent', 'live', 'closing', 'ended']));
  });

  it('has every command, and every event', () => {
    expect(rows.map(([name]) => name)).toEqual(Object.keys(commands));
    expect(new Set(Object.values(commands).map(({ type }) => type))).toEqual(
      new Set(Object.keys(everyCommand)),
    );
    const cells = rows.flatMap(([, ...cells]) => cells).join('');
    for (const letter of Object.values(letters)) expect(cells).toContain(letter);
  });
});

describe.each(Object.keys(states))('a call that is %s', (name) => {
  const expected = rows.map(([row = '', ...cells]) => [row, cells[header.indexOf(name) - 1]] as const);
  it.each(expected)('is told %s', (row, cell) => {
    const command = commandCalled(row);
    const { before, state } = stateOf(name);
    const decided = outcome(command, state);
    expect(spelled(decided)).toBe(cell);
    // Told again at once it has nothing to add, or is refused for good.
    const again = typeof decided === 'string' ? state : fold(callDecider, [...before, ...decided]);
    expect(spelled(outcome(command, again))).toBe(typeof decided === 'string' ? cell : repeated(command));
  });
});
