// The contexts of calls in rooms that browsers join. Widgets announces each before its room exists, so the first webhook of the room
// finds it. Page variables say something about a visitor: contexts lie sealed, and are deleted with their call and after two days.
import { CallContext, eventConsumers } from '@parlance/contracts';
import type { Keyring } from '@parlance/crypto';
import { parseJson, stringifyJson } from '@parlance/json';
import { type Logger, type RunningPart, startRounds } from '@parlance/observability';
import {
  type ConsumerOptions,
  type Database,
  deleteInPieces,
  isRemoved,
  startConsumer,
} from '@parlance/postgres';

/** What a sealed context is bound to. */
export const contextBinding = (callId: string): string => JSON.stringify(['context of a call', callId]);

/** Webhooks of a room are retried for a day. */
const keptFor = `interval '2 days'`;
const forgettingEveryMs = 3_600_000;

export interface BrowserCallsOptions {
  readonly db: Database;
  readonly keyring: Keyring;
}

export class BrowserCalls {
  readonly #options: BrowserCallsOptions;

  constructor(options: BrowserCallsOptions) {
    this.#options = options;
  }

  /** The room does not name the organization of its call. */
  async contextOf(callId: string): Promise<CallContext | undefined> {
    const { db, keyring } = this.#options;
    const { rows } = await db.query<{ context: string }>({
      name: 'browser-call',
      text: 'select context from browser_calls where call_id = $1',
      values: [callId],
    });
    if (rows[0] === undefined) return undefined;
    const json = keyring.open(rows[0].context, contextBinding(callId)).toString('utf8');
    return CallContext.parse(parseJson(json));
  }

  /** Follows the sessions that widgets admits. */
  listen(options: Pick<ConsumerOptions<never>, 'nats' | 'seals' | 'logger'>): RunningPart {
    const { db, keyring } = this.#options;
    return startConsumer({
      ...options,
      db,
      ...eventConsumers['calls-logs'].sessions,
      handle: async (tx, { organizationId, data: { callId, context } }) => {
        if (await isRemoved(tx, organizationId)) return;
        const sealed = keyring.seal(Buffer.from(stringifyJson(context)), contextBinding(callId));
        await tx.query(
          `insert into browser_calls (call_id, organization_id, context) values ($1, $2, $3)
           on conflict (call_id) do nothing`,
          [callId, organizationId, sealed],
        );
      },
    });
  }

  forgetOld(logger: Logger): RunningPart {
    const { db } = this.#options;
    return startRounds({
      name: 'contexts of browser calls',
      everyMs: forgettingEveryMs,
      logger,
      round: async () => {
        await deleteInPieces(db, { table: 'browser_calls', where: `stored_at < now() - ${keptFor}` });
      },
    });
  }
}
