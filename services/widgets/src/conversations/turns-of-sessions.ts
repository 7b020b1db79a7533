// The turns of conversations in text, in Postgres. They lie sealed until the call log has them.
import { TranscriptTurn } from '@parlance/contracts';
import type { Keyring } from '@parlance/crypto';
import { parseJson, stringifyJson } from '@parlance/json';
import type { Tx } from '@parlance/postgres';

/** A turn that has its place in time, and not yet its number. */
export type NewTurn = Pick<TranscriptTurn, 'role' | 'text' | 'startMs'> &
  Partial<Omit<TranscriptTurn, 'seq'>>;

export interface SessionKey {
  readonly id: string;
  readonly organizationId: string;
}

const bindingOf = (sessionId: string, seq: number): string =>
  JSON.stringify(['turn of a conversation', sessionId, seq]);

export class TurnsOfSessions {
  readonly #keyring: Keyring;

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  /**
   * Adds turns in their order.
   * @param first the number of the first of them; the caller holds the row of the session
   */
  async add(
    tx: Tx,
    { id, organizationId }: SessionKey,
    first: number,
    added: readonly NewTurn[],
  ): Promise<TranscriptTurn[]> {
    const turns = added.map((turn, index) => TranscriptTurn.parse({ ...turn, seq: first + index }));
    const texts = turns.map((turn) => Buffer.from(stringifyJson(turn)));
    const rows = turns.map(({ seq }, index) => ({
      seq,
      sealed: this.#keyring.seal(texts[index] ?? Buffer.alloc(0), bindingOf(id, seq)),
    }));
    await tx.query(
      `insert into widget_turns (session_id, seq, organization_id, sealed)
       select $1, seq, $2, sealed from jsonb_to_recordset($3) as added (seq int, sealed text)`,
      [id, organizationId, JSON.stringify(rows)],
    );
    await tx.query(
      'update widget_sessions set turns = $2, turn_bytes = turn_bytes + $3 where id = $1 and organization_id = $4',
      [id, first + turns.length, texts.reduce((sum, { length }) => sum + length, 0), organizationId],
    );
    return turns;
  }

  async of(tx: Tx, { id, organizationId }: SessionKey): Promise<TranscriptTurn[]> {
    const { rows } = await tx.query<{ seq: number; sealed: string }>(
      'select seq, sealed from widget_turns where session_id = $1 and organization_id = $2 order by seq',
      [id, organizationId],
    );
    // Sealed by `add`, and by nothing else.
    return rows.map(({ seq, sealed }) =>
      TranscriptTurn.parse(parseJson(this.#keyring.open(sealed, bindingOf(id, seq)).toString('utf8'))),
    );
  }
}
