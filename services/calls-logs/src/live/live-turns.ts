// Turns of calls that last, as the voice runtime tells them. They lie sealed in Postgres, because an event for each would
// stay for ever beside the hand-over that replaces it.
import { events, maxTranscriptTurns } from '@parlance/contracts';
import type { PersonalData } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import { streamOf } from '@parlance/event-sourcing';
import type { Clock, Ids } from '@parlance/observability';
import { announce, type Database, type Tx } from '@parlance/postgres';
import type { RecordedTurn } from '../call/call-events.js';
import { callCategory } from '../call/call-repository.js';

/** The most bytes of sealed turns of a call: a whole hand-over, and the bytes that sealing adds to it. */
export const maxLiveBytes = 8 * 1024 * 1024;

export interface LiveCallKey {
  readonly organizationId: string;
  readonly agentId: string;
  readonly callId: string;
}

/** A turn, and the number of the event that told it. Of two events with one turn, the one with the higher number holds. */
export interface ToldTurn {
  readonly eventSeq: number;
  readonly turn: RecordedTurn;
}

interface SealedTurn {
  readonly event_seq: number;
  readonly turn_seq: number;
  readonly role: string;
  readonly sealed: string;
}

/** The call was handed over or deleted: its live turns do not count any more. */
export const isOver = Symbol('is over');

/** Ends the transaction of turns that came too late. */
class TranscriptIsOver extends Error {
  override readonly name = 'TranscriptIsOver';
}

interface Added {
  /** The number of turns of the call so far, and of new ones among them. */
  readonly turns: number;
  readonly added: number;
}

/**
 * Adds the turns with new event numbers, and counts them in the row of their call, which is made if need be. The row is locked until the
 * end of the transaction. Turns go in the order of their events, so that two requests with the same turns wait for each other one way.
 * @throws TranscriptIsOver
 * @throws AppError PAYLOAD_TOO_LARGE
 */
const addTurns = async (
  tx: Tx,
  key: LiveCallKey,
  turns: readonly SealedTurn[],
  now: Date,
): Promise<Added> => {
  const { rows } = await tx.query<Added & { bytes: number; is_over: boolean }>({
    name: 'live-turns-add',
    text: `with added as (
             insert into live_turns (call_id, organization_id, agent_id, event_seq, turn_seq, role, sealed)
             select $1, $2, $3, event_seq, turn_seq, role, sealed
             from jsonb_to_recordset($4) as told (event_seq bigint, turn_seq bigint, role text, sealed text)
             order by event_seq
             on conflict do nothing returning length(sealed) as bytes)
           insert into live_transcripts as t (call_id, organization_id, agent_id, told_at, turns, bytes)
           select $1, $2, $3, $5, count(*), coalesce(sum(bytes), 0) from added
           on conflict (call_id, organization_id, agent_id) do update
           set told_at = greatest(t.told_at, excluded.told_at), turns = t.turns + excluded.turns,
               bytes = t.bytes + excluded.bytes
           returning t.turns, t.bytes::float8 as bytes, t.is_over, (select count(*)::int from added) as added`,
    values: [key.callId, key.organizationId, key.agentId, JSON.stringify(turns), now],
  });
  const [sum = { turns: 0, bytes: 0, added: 0, is_over: false }] = rows;
  if (sum.is_over) throw new TranscriptIsOver();
  if (sum.turns > maxTranscriptTurns || sum.bytes > maxLiveBytes)
    throw new AppError('PAYLOAD_TOO_LARGE', { details: { maxTranscriptTurns, maxBytes: maxLiveBytes } });
  return sum;
};

export interface LiveTurnsOptions {
  readonly db: Database;
  readonly personalData: PersonalData;
  readonly clock: Clock;
  readonly ids: Ids;
}

export class LiveTurns {
  readonly #options: LiveTurnsOptions;
  readonly #db: Database;
  readonly #personalData: PersonalData;

  constructor(options: LiveTurnsOptions) {
    this.#options = options;
    this.#db = options.db;
    this.#personalData = options.personalData;
  }

  /** Keeps turns with new event numbers, in any order of arrival. @throws AppError PAYLOAD_TOO_LARGE */
  async add(key: LiveCallKey, told: readonly ToldTurn[], now: Date): Promise<void> {
    const { organizationId, agentId, callId } = key;
    const sealed = await Promise.all(told.map((one) => this.#sealed(callId, one)));
    try {
      await this.#db.transaction(async (tx) => {
        const { added, turns } = await addTurns(tx, key, sealed, now);
        if (added > 0)
          await announce(tx, this.#options, events.transcriptGrew, organizationId, {
            callId,
            agentId,
            turns,
          });
      });
    } catch (error) {
      if (!(error instanceof TranscriptIsOver)) throw error;
    }
  }

  /** Turns in order, after the number `after`; `isOver` when the call was handed over or deleted. */
  async page(
    { callId, organizationId, agentId }: LiveCallKey,
    { after, limit }: { readonly after: number; readonly limit: number },
  ): Promise<RecordedTurn[] | typeof isOver> {
    // One statement reads the turns and the mark `is_over`, so that both are of the same moment.
    const { rows } = await this.#db.query<{ is_over: boolean; sealed: string | null }>({
      name: 'live-turns-page',
      text: `select t.is_over, l.sealed from live_transcripts t
             left join lateral (
               select distinct on (turn_seq) turn_seq, sealed from live_turns
               where call_id = t.call_id and organization_id = t.organization_id and agent_id = t.agent_id
                 and turn_seq > $4
               order by turn_seq, event_seq desc limit $5) l on true
             where t.call_id = $1 and t.organization_id = $2 and t.agent_id = $3
             order by l.turn_seq`,
      values: [callId, organizationId, agentId, after, limit],
    });
    if (rows[0]?.is_over) return isOver;
    const turns = await Promise.all(rows.map(({ sealed }) => this.#opened(callId, sealed)));
    return turns.flatMap((turn) => turn ?? []);
  }

  /** The last message of agent or person in each of these calls, by the id of the call. */
  async lastMessages(keys: readonly LiveCallKey[]): Promise<ReadonlyMap<string, string>> {
    if (keys.length === 0) return new Map();
    const { rows } = await this.#db.query<{ call_id: string; sealed: string }>({
      name: 'live-turns-last',
      text: `select t.call_id, l.sealed
             from unnest($1::text[], $2::text[], $3::text[]) as t (call_id, organization_id, agent_id)
             cross join lateral (
               select sealed from live_turns
               where call_id = t.call_id and organization_id = t.organization_id and agent_id = t.agent_id
                 and role in ('agent', 'user')
               order by turn_seq desc, event_seq desc limit 1) l`,
      values: [
        keys.map(({ callId }) => callId),
        keys.map(({ organizationId }) => organizationId),
        keys.map(({ agentId }) => agentId),
      ],
    });
    const opened = await Promise.all(
      rows.map(async ({ call_id, sealed }) => [call_id, await this.#opened(call_id, sealed)] as const),
    );
    return new Map(opened.flatMap(([id, turn]) => (turn ? [[id, turn.spokenText ?? turn.text]] : [])));
  }

  async #sealed(callId: string, { eventSeq, turn }: ToldTurn): Promise<SealedTurn> {
    const sealed = await this.#personalData.seal(streamOf(callCategory, callId), turn);
    return { event_seq: eventSeq, turn_seq: turn.seq, role: turn.role, sealed };
  }

  /** Undefined where there is none, or the call's personal data was destroyed. */
  async #opened(callId: string, sealed: string | null): Promise<RecordedTurn | undefined> {
    if (sealed === null) return undefined;
    const opened = await this.#personalData.open(streamOf(callCategory, callId), sealed);
    // Written by `#sealed` above, and by nothing else.
    return opened === null ? undefined : (opened as RecordedTurn);
  }
}
