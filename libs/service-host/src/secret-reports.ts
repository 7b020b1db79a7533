// Reports to tools-secrets which secrets a resource of this service mentions. tools-secrets requests a report in an event and gets
// it in one, so it depends on none of the services that use secrets.
import { type EventConsumer, type EventOf, events, type SecretMentionsReport } from '@parlance/contracts';
import { AppError, type ErrorCode } from '@parlance/errors';
import type { Clock, Ids, RunningPart } from '@parlance/observability';
import { announce, type ConsumerOptions, type Database, startConsumer, type Tx } from '@parlance/postgres';
import { type MentioningType, type SecretsInUse, secretsInUse } from './secret-saves.js';

type Requested = typeof events.secretMentionsRequested;
type Reported =
  | typeof events.agentSecretsReported
  | typeof events.connectionSecretsReported
  | typeof events.widgetSecretsReported;

/** Reads the mentions of the stored resource; it fails with an AppError for one that does not exist. */
export type ReadSecretsInUse = (tx: Tx, organizationId: string, id: string) => Promise<SecretsInUse>;

/** The readers of a service, by the type of the resource. */
type SecretReaders = Readonly<Partial<Record<MentioningType, ReadSecretsInUse>>>;

const goneCodes: ReadonlySet<ErrorCode> = new Set([
  'AGENT_NOT_FOUND',
  'MCP_CONNECTION_NOT_FOUND',
  'MODEL_NOT_FOUND',
  'WIDGET_NOT_FOUND',
]);

const gone: SecretsInUse = { ids: [], names: [], uses: [], name: '' };

/** Undefined for a resource of another service. */
const secretReport = async (
  db: Database,
  readers: SecretReaders,
  { organizationId, data }: EventOf<Requested>,
): Promise<SecretMentionsReport | undefined> => {
  const { user, noted } = data;
  const read = readers[user.type];
  if (read === undefined) return undefined;
  // In a transaction of its own: that of the event may hold several events, and would lock their resources in any order.
  const found = await secretsInUse(db, { organizationId, ...user }, (tx) =>
    read(tx, organizationId, user.id),
  ).catch((error: unknown) => {
    if (error instanceof AppError && goneCodes.has(error.code)) return gone;
    throw error;
  });
  const { name, ids, names, uses } = found;
  return { user: { ...user, name }, ids: [...ids], names: [...names], uses, noted };
};

interface SecretReportsOptions extends Pick<ConsumerOptions<never>, 'nats' | 'db' | 'logger'> {
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Answers requests for reports until it is stopped. */
export const startSecretReports = <T extends Reported>(
  { nats, db, logger, clock, ids }: SecretReportsOptions,
  consumer: EventConsumer<Requested>,
  readers: SecretReaders,
  reported: T,
): RunningPart =>
  startConsumer({
    ...{ nats, db, logger, ...consumer },
    handle: async (tx, event) => {
      const report = await secretReport(db, readers, event);
      if (report !== undefined)
        await announce<Reported>(tx, { clock, ids }, reported, event.organizationId, report);
    },
  });
