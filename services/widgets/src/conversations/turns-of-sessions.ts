// The turns of conversations in text, in Postgres. They lie sealed until the call log has them, and without the personal data that
// the agent's configuration hides. What was said is kept beside them, sealed as well, because a runtime keeps nothing between two
// messages. It goes when the conversation ends.
import { TranscriptTurn } from '@parlance/contracts';
import type { Keyring } from '@parlance/crypto';
import { parseJson, stringifyJson } from '@parlance/json';
import type { Tx } from '@parlance/postgres';
import { ConversationRedactor, type RedactionOptions } from '@parlance/redaction';

/** A turn that has its place in time, and not yet its number. */
export type NewTurn = Pick<TranscriptTurn, 'role' | 'text' | 'startMs'> &
  Partial<Omit<TranscriptTurn, 'seq'>>;

export interface SessionKey {
  readonly id: string;
  readonly organizationId: string;
}

export interface AddedTurns {
  /** For the person of the conversation. */
  readonly said: readonly TranscriptTurn[];
  /**
   * For everybody else. A turn that ends in digits is kept back until the next one shows what they are; those that were kept back
   * come first.
   */
  readonly recorded: readonly TranscriptTurn[];
}

interface StoredTurn {
  readonly seq: number;
  readonly sealed: string;
  readonly words: string | null;
}

/** What the recorded form of a turn is bound to. */
export const turnBinding = (sessionId: string, seq: number): string =>
  JSON.stringify(['turn of a conversation', sessionId, seq]);
/** What the words of a turn are bound to. */
export const wordsBinding = (sessionId: string, seq: number): string =>
  JSON.stringify(['words of a conversation', sessionId, seq]);

interface Redacted {
  readonly turns: readonly TranscriptTurn[];
  /** So many of them no later turn changes. */
  readonly decided: number;
}

const redactedSoFar = (said: readonly TranscriptTurn[], options: RedactionOptions): Redacted => {
  const redactor = new ConversationRedactor<TranscriptTurn>(options);
  const decided = said.flatMap((turn) => redactor.add(turn));
  return { turns: [...decided, ...redactor.end()], decided: decided.length };
};

export class TurnsOfSessions {
  readonly #keyring: Keyring;

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  /** Hides personal data in the turns of the session. Call this before the first turn. */
  async redact(tx: Tx, { id, organizationId }: SessionKey, options: RedactionOptions): Promise<void> {
    await tx.query('update widget_sessions set redaction = $2 where id = $1 and organization_id = $3', [
      id,
      JSON.stringify(options),
      organizationId,
    ]);
  }

  /**
   * Adds turns in their order.
   * @param first the number of the first of them; the caller holds the row of the session
   */
  async add(tx: Tx, key: SessionKey, first: number, added: readonly NewTurn[]): Promise<AddedTurns> {
    const said = added.map((turn, index) => TranscriptTurn.parse({ ...turn, seq: first + index }));
    const options = await this.#optionsOf(tx, key);
    if (options === null) {
      await this.#insert(tx, key, first, said, undefined);
      return { said, recorded: said };
    }
    const before = await this.said(tx, key);
    const [old, now] = [redactedSoFar(before, options), redactedSoFar([...before, ...said], options)];
    await this.#update(tx, key, now.turns.slice(old.decided, before.length));
    await this.#insert(tx, key, first, said, now.turns.slice(before.length));
    return { said, recorded: now.turns.slice(old.decided, now.decided) };
  }

  /** The turns for the records. */
  async of(tx: Tx, key: SessionKey): Promise<TranscriptTurn[]> {
    return (await this.#stored(tx, key)).map((stored) => this.#recorded(key, stored));
  }

  /** The turns as they were said, while the conversation lasts. */
  async said(tx: Tx, key: SessionKey): Promise<TranscriptTurn[]> {
    return (await this.#stored(tx, key)).map((stored) =>
      stored.words === null
        ? this.#recorded(key, stored)
        : this.#opened(stored.words, wordsBinding(key.id, stored.seq)),
    );
  }

  async #optionsOf(tx: Tx, { id, organizationId }: SessionKey): Promise<RedactionOptions | null> {
    const { rows } = await tx.query<{ redaction: RedactionOptions | null }>(
      'select redaction from widget_sessions where id = $1 and organization_id = $2',
      [id, organizationId],
    );
    return rows[0]?.redaction ?? null;
  }

  async #insert(
    tx: Tx,
    { id, organizationId }: SessionKey,
    first: number,
    said: readonly TranscriptTurn[],
    redacted: readonly TranscriptTurn[] | undefined,
  ): Promise<void> {
    const rows = said.map((turn, index) => ({
      seq: turn.seq,
      sealed: this.#sealed(redacted?.[index] ?? turn, turnBinding(id, turn.seq)),
      words: redacted === undefined ? null : this.#sealed(turn, wordsBinding(id, turn.seq)),
    }));
    await tx.query(
      `insert into widget_turns (session_id, seq, organization_id, sealed, words)
       select $1, seq, $2, sealed, words from jsonb_to_recordset($3) as added (seq int, sealed text, words text)`,
      [id, organizationId, JSON.stringify(rows)],
    );
    const bytes = said.reduce((sum, turn) => sum + Buffer.byteLength(stringifyJson(turn)), 0);
    await tx.query(
      'update widget_sessions set turns = $2, turn_bytes = turn_bytes + $3 where id = $1 and organization_id = $4',
      [id, first + said.length, bytes, organizationId],
    );
  }

  /** Turns of which more is hidden since a later one was said. */
  async #update(tx: Tx, { id, organizationId }: SessionKey, turns: readonly TranscriptTurn[]): Promise<void> {
    if (turns.length === 0) return;
    const rows = turns.map((turn) => ({
      seq: turn.seq,
      sealed: this.#sealed(turn, turnBinding(id, turn.seq)),
    }));
    await tx.query(
      `update widget_turns t set sealed = changed.sealed
       from jsonb_to_recordset($3) as changed (seq int, sealed text)
       where t.session_id = $1 and t.organization_id = $2 and t.seq = changed.seq`,
      [id, organizationId, JSON.stringify(rows)],
    );
  }

  async #stored(tx: Tx, { id, organizationId }: SessionKey): Promise<readonly StoredTurn[]> {
    const { rows } = await tx.query<StoredTurn>(
      'select seq, sealed, words from widget_turns where session_id = $1 and organization_id = $2 order by seq',
      [id, organizationId],
    );
    return rows;
  }

  #recorded({ id }: SessionKey, { seq, sealed }: StoredTurn): TranscriptTurn {
    return this.#opened(sealed, turnBinding(id, seq));
  }

  #sealed(turn: TranscriptTurn, binding: string): string {
    return this.#keyring.seal(Buffer.from(stringifyJson(turn)), binding);
  }

  /** Sealed by `#sealed`, and by nothing else. */
  #opened(sealed: string, binding: string): TranscriptTurn {
    return TranscriptTurn.parse(parseJson(this.#keyring.open(sealed, binding).toString('utf8')));
  }
}
