// The parts of decisions on a call: each adds the new facts of one report, and nothing where none is new.
import type { EndedError } from '@parlance/contracts';
import type { Described, InitiationFacts, RoomFact, TranscriptPart } from './call-commands.js';
import { dueAt, endingFrom, type ReportedEnd } from './call-endings.js';
import { type CallEvent, type Description, type Ending, type People, sources } from './call-events.js';
import { type Call, type CallState, evolve, type Presence, presenceAfter } from './call-state.js';
import { toolTurnsIn } from './call-tool-turns.js';

/** A part of a decision, on the state that the parts before it leave behind. */
export type Step = (state: CallState) => readonly CallEvent[];

/** Decides step by step, each on the state that the steps before it leave behind. */
export const inOrder = (state: CallState, ...steps: readonly Step[]): readonly CallEvent[] => {
  const decided: CallEvent[] = [];
  let current = state;
  for (const step of steps) {
    const events = step(current);
    decided.push(...events);
    current = events.reduce(evolve, current);
  }
  return decided;
};

export const isForeign = (state: CallState, organizationId: string): boolean =>
  state.phase !== 'absent' && state.description.organizationId !== organizationId;

/** Null, or no variables or metadata at all: a source that does not know them tells none. */
const isGap = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);

const withGapsFilled = <T extends object>(better: T, other: T): T => ({
  ...other,
  ...(Object.fromEntries(Object.entries(better).filter(([, value]) => !isGap(value))) as Partial<T>), // same keys
});

const isSame = (a: Description, b: Description): boolean => {
  const other = new Map<string, unknown>(Object.entries(b));
  return Object.entries(a).every(([name, value]) => other.get(name) === value);
};

/** The better source wins, and the other one fills its gaps. */
const merge = (call: Call, people: People, told: Described): Described => {
  const isBetter = sources.indexOf(told.source) < sources.indexOf(call.source);
  const current = { source: call.source, description: call.description, people };
  const [better, other] = isBetter ? [told, current] : [current, told];
  const description = withGapsFilled(better.description, other.description);
  // One source may tell of the start several times, each time when it saw something; the first time counts.
  const starts = [better.description.startedAt, other.description.startedAt].sort();
  const startedAt =
    told.source === call.source ? (starts[0] ?? description.startedAt) : description.startedAt;
  return {
    source: better.source,
    description: { ...description, startedAt },
    people: withGapsFilled(better.people, other.people),
  };
};

const addsNothing = (call: Call, people: People, merged: Described): boolean =>
  merged.source === call.source &&
  isSame(merged.description, call.description) &&
  merged.people.fromNumber === people.fromNumber &&
  merged.people.toNumber === people.toNumber;

export const describe =
  (told: Described, now: string): Step =>
  (state) => {
    if (state.phase === 'absent') {
      const data = { recordedAt: now, source: told.source, ...told.description };
      return [{ type: 'CallDescribed', data, personal: told.people }];
    }
    if (isForeign(state, told.description.organizationId)) return [];
    if (state.deletedAt !== null || state.people === null) return [];
    const merged = merge(state, state.people, told);
    if (addsNothing(state, state.people, merged)) return [];
    const data = { recordedAt: now, source: merged.source, ...merged.description };
    return [{ type: 'CallDescribed', data, personal: merged.people }];
  };

export const answer =
  (answeredAt: string, now: string): Step =>
  (state) => {
    if (state.phase === 'absent' || state.phase === 'ended' || state.answeredAt !== null) return [];
    const { agentId, outboundCallId } = state.description;
    return [{ type: 'CallAnswered', data: { recordedAt: now, answeredAt, agentId, outboundCallId } }];
  };

export const identify =
  (providerCallId: string | null, now: string): Step =>
  (state) => {
    if (state.phase === 'absent' || state.people === null || providerCallId === null) return [];
    if (state.description.providerCallId !== null || state.deletedAt !== null) return [];
    const data = { recordedAt: now, source: state.source, ...state.description, providerCallId };
    return [{ type: 'CallDescribed', data, personal: state.people }];
  };

/** The answer of the initiation webhook; of two, the later one holds. */
export const initiate =
  ({ agentId, at, dynamicVariables }: InitiationFacts, now: string): Step =>
  (state) => {
    if (state.phase === 'absent' || state.deletedAt !== null || state.description.agentId !== agentId)
      return [];
    const known = state.initiation;
    const isNews = known === undefined ? Object.keys(dynamicVariables).length > 0 : at > known.at;
    if (!isNews) return [];
    const personal = { dynamicVariables: { ...dynamicVariables } };
    return [{ type: 'InitiationAnswered', data: { recordedAt: now, at }, personal }];
  };

export const transcriptRecorded = (
  now: string,
  ingestId: string,
  { part, turns }: TranscriptPart,
): CallEvent => {
  const tools = toolTurnsIn(turns);
  return {
    type: 'TranscriptRecorded',
    data: {
      recordedAt: now,
      ...{ ingestId, part, turns: turns.length },
      ...(turns.length === 0 ? {} : { lastSeq: turns.at(-1)?.seq ?? 0 }),
      ...(tools.length === 0 ? {} : { tools }),
    },
    personal: { turns: [...turns] },
  };
};

const isLater = (at: string, known: string | null): boolean => known === null || at > known;

type Movement = Extract<RoomFact, { kind: 'moved' }>;

/**
 * Webhooks tell whole seconds, so that two departures may have one time. A hang-up is believed only where all of them
 * are hang-ups, in any order of arrival.
 */
const isNews = ({ moved, at, leftBy }: Movement, { inAt, outAt, leftBy: known }: Presence): boolean => {
  if (moved === 'in') return isLater(at, inAt);
  return isLater(at, outAt) || (at === outAt && known === 'itself' && leftBy !== 'itself');
};

export const move =
  (fact: Movement, now: string): Step =>
  (state) => {
    if (state.phase === 'absent' || state.phase === 'ended') return [];
    const known = state.presences[fact.participant] ?? { kind: fact.as, inAt: null, outAt: null };
    if (!isNews(fact, known)) return [];
    const presences = Object.values({ ...state.presences, [fact.participant]: presenceAfter(known, fact) });
    const present = presences.filter(
      ({ kind, inAt, outAt }) => kind !== 'other' && inAt !== null && isLater(inAt, outAt),
    );
    const data = {
      recordedAt: now,
      participant: fact.participant,
      kind: fact.as,
      moved: fact.moved,
      at: fact.at,
      ...(fact.leftBy === undefined ? {} : { leftBy: fact.leftBy }),
      ...(fact.lost && { lost: fact.lost }),
      present: state.phase === 'live' ? present.length : 0,
      agentHasJoined: state.agentHasJoined || fact.as === 'agent',
    };
    return [{ type: 'ParticipantMoved', data }];
  };

/** No dialer answers for an inbound call or a browser: such a call is answered when agent and person have met. */
export const answerWhenMet =
  (now: string): Step =>
  (state) => {
    if (state.phase === 'absent' || state.description.outboundCallId !== null) return [];
    const firstIn = (kind: 'agent' | 'person'): string | undefined =>
      Object.values(state.presences)
        .flatMap((presence) => (presence.kind === kind && presence.inAt !== null ? [presence.inAt] : []))
        .sort()[0];
    const [agent, person] = [firstIn('agent'), firstIn('person')];
    if (agent === undefined || person === undefined) return [];
    return answer(agent > person ? agent : person, now)(state);
  };

/** A room may be missed before its end is told: it went when the earlier of the two says. */
export const closeRoom =
  (closedAt: string, now: string): Step =>
  (state) => {
    if (state.phase === 'absent' || state.phase === 'ended') return [];
    if (state.closedAt !== null && closedAt >= state.closedAt) return [];
    const since = state.closingSince ?? now;
    return [{ type: 'RoomClosed', data: { recordedAt: now, closedAt, dueAt: dueAt(state, since) } }];
  };

export const end =
  (
    source: Ending['source'],
    report: (call: Call) => ReportedEnd,
    how: { readonly error: EndedError | null; readonly costMicros: number | null; readonly now: string },
  ): Step =>
  (state) => {
    if (state.phase === 'absent' || state.phase === 'ended') return [];
    const { agentId, outboundCallId, campaignId, startedAt } = state.description;
    const { error, costMicros, now } = how;
    return [
      {
        type: 'CallEnded',
        data: {
          recordedAt: now,
          ...endingFrom(state, source, report(state)),
          sipStatus: error?.sipStatus ?? null,
          providerCode: error?.providerCode ?? null,
          agentId,
          outboundCallId,
          campaignId,
          startedAt,
          costMicros,
        },
        personal: { errorDetail: error?.detail ?? null },
      },
    ];
  };
