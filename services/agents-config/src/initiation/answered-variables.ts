// The variables that initiation webhooks answered, sealed in Postgres for as long as their calls may need them. They are
// written before the runtime gets its configuration, so that every tool of the call finds them.
import type { Keyring } from '@parlance/crypto';
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import { type Database, deleteInPieces, type Tx } from '@parlance/postgres';

type Variables = Readonly<Record<string, string>>;

export interface CallKey {
  readonly organizationId: string;
  readonly callId: string;
}

export interface AnsweredVariables {
  readonly agentId: string;
  /** The moment at which the webhook was asked, ISO 8601. */
  readonly at: string;
  readonly dynamicVariables: Variables;
}

/** A token of a call is good for hours; a hand-over may come later. */
const keptForMs = 86_400_000;
const everyMs = 600_000;

/** What the sealed variables of a call are bound to. */
export const variablesBinding = ({ organizationId, callId }: CallKey): string =>
  JSON.stringify(['initiation variables', organizationId, callId]);

/** Of two answers about one call, the later one stays. */
export const keepAnswered = async (
  tx: Tx,
  keyring: Keyring,
  key: CallKey,
  { agentId, at, dynamicVariables }: AnsweredVariables,
): Promise<void> => {
  await tx.query({
    name: 'keep_answered_variables',
    text: `insert into call_initiations as known (organization_id, call_id, agent_id, asked_at, variables)
           values ($1, $2, $3, $4, $5)
           on conflict (organization_id, call_id) do update
             set agent_id = excluded.agent_id, asked_at = excluded.asked_at, variables = excluded.variables
             where known.asked_at <= excluded.asked_at`,
    values: [
      ...[key.organizationId, key.callId, agentId, at],
      keyring.seal(Buffer.from(JSON.stringify(dynamicVariables), 'utf8'), variablesBinding(key)),
    ],
  });
};

/** Undefined where no webhook answered about this call within the last day. */
export const findAnswered = async (
  tx: Tx,
  keyring: Keyring,
  key: CallKey,
): Promise<AnsweredVariables | undefined> => {
  const { rows } = await tx.query<{ agent_id: string; asked_at: Date; variables: string }>({
    name: 'find_answered_variables',
    text: `select agent_id, asked_at, variables from call_initiations
           where organization_id = $1 and call_id = $2`,
    values: [key.organizationId, key.callId],
  });
  const [row] = rows;
  if (row === undefined) return undefined;
  const opened = keyring.open(row.variables, variablesBinding(key)).toString('utf8');
  return {
    agentId: row.agent_id,
    at: row.asked_at.toISOString(),
    // Written by `keepAnswered` above, and by nothing else.
    dynamicVariables: JSON.parse(opened) as Variables,
  };
};

export const startForgettingAnswered = (parts: {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}): RunningPart =>
  startRounds({
    name: 'call-initiations',
    everyMs,
    logger: parts.logger,
    round: () =>
      deleteInPieces(parts.db, {
        table: 'call_initiations',
        where: 'asked_at < $1',
        values: [new Date(parts.clock.now().getTime() - keptForMs)],
      }),
  });
