// The documents of release 0.2.0, in the clear. They are read while the sealed ones are being made of the same events, and
// dropped once these are complete and no older replica can run any more.
import { type CurrentCollections, dropCopies } from '@parlance/event-sourcing';
import { parseJson, stringifyJson } from '@parlance/json';
import { mongoGuard } from '@parlance/postgres/mongo';
import type { Db } from 'mongodb';
import type { RecordedTurn } from '../call/call-events.js';
import { withoutPersonal } from '../call/call-personal.js';
import type { Call } from '../call/call-state.js';

/** Name of the checkpoint, and of the pointer to the collections that are read. */
export const unsealedDocumentsId = 'call-documents';
const names = { calls: 'calls', turns: 'transcript_turns', live: 'live_calls' } as const;

interface UnsealedCall {
  readonly _id: string;
  readonly organizationId: string;
  readonly revision: number;
  readonly state: string;
}

interface UnsealedTurns {
  readonly _id: string;
  readonly callId: string;
  readonly ingestId: string;
  readonly lastSeq: number;
  readonly turns: string;
}

export class UnsealedDocuments {
  readonly #current: CurrentCollections;
  readonly #isThere: () => boolean;

  /** @param isThere false where this release began, and once the documents were dropped */
  constructor(current: CurrentCollections, isThere: () => boolean) {
    this.#current = current;
    this.#isThere = isThere;
  }

  async find(
    organizationId: string,
    callIds: readonly string[],
  ): Promise<{ readonly callId: string; readonly revision: number; readonly call: Call }[]> {
    if (!this.#isThere() || callIds.length === 0) return [];
    const calls = (await this.#current.get()).collection<UnsealedCall>(names.calls);
    const documents = await calls.find({ _id: { $in: [...callIds] }, organizationId }).toArray();
    return documents.map(({ _id: callId, revision, state }) => ({
      callId,
      revision,
      // Only a projection of that release wrote it.
      call: parseJson(state) as Call,
    }));
  }

  async turns(callId: string, ingestId: string, after: number, limit: number): Promise<RecordedTurn[]> {
    if (!this.#isThere()) return [];
    const parts = (await this.#current.get()).collection<UnsealedTurns>(names.turns);
    const turns: RecordedTurn[] = [];
    for await (const part of parts.find({ callId, ingestId, lastSeq: { $gt: after } }).sort({ lastSeq: 1 })) {
      turns.push(...(parseJson(part.turns) as RecordedTurn[]).filter(({ seq }) => seq > after));
      if (turns.length >= limit) break;
    }
    return turns;
  }

  /** An older replica may write a document of these calls again, so this is done more than once. */
  async erase(callIds: readonly string[]): Promise<void> {
    if (!this.#isThere()) return;
    const copy = await this.#current.get();
    await copy.collection<UnsealedTurns>(names.turns).deleteMany({ callId: { $in: [...callIds] } });
    await copy.collection<UnsealedCall>(names.live).deleteMany({ _id: { $in: [...callIds] } });
    const calls = copy.collection<UnsealedCall>(names.calls);
    // The documents stay, because an older replica folds later events onto them.
    for (const { _id, revision, state } of await calls.find({ _id: { $in: [...callIds] } }).toArray())
      await calls.updateOne(
        { _id, revision },
        { $set: { state: stringifyJson(withoutPersonal(parseJson(state) as Call)) } },
      );
  }
}

export const dropUnsealedDocuments = (mongo: Db): Promise<void> =>
  mongoGuard(() => dropCopies(mongo, Object.values(names), () => true));
