// Tells tools-secrets which widget uses which secret for visitor tokens, so that none of these secrets is deleted.
import { events, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type RunningPart, startRounds } from '@parlance/observability';
import { announce, type Database, type Tx } from '@parlance/postgres';
import type { Host, SecretsOfSave } from '@parlance/service-host';

export interface NamedWidget {
  readonly organizationId: string;
  readonly id: string;
  readonly name: string;
}

type Asking = Pick<Host, 'rpc' | 'callerFor' | 'ids'>;

/** The secret of a widget that is about to be saved. One that verifies tokens is sent nowhere. */
export const secretOf = (
  { id, name }: Pick<NamedWidget, 'id' | 'name'>,
  secretId: string | null | undefined,
): SecretsOfSave => ({
  user: { id, type: 'widget', name },
  ids: secretId == null ? [] : [secretId],
  names: [],
});

/** @throws AppError SECRET_NOT_FOUND; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while tools-secrets does not answer */
const noteSecret = async (
  { rpc, callerFor, ids }: Asking,
  widget: NamedWidget,
  secretId: string | null,
): Promise<void> => {
  if (secretId === null) return;
  const context = { caller: callerFor(widget.organizationId), requestId: ids.next() };
  await rpc.call(serviceRequests.secretsRefer, { body: secretOf(widget, secretId) }, context);
};

/** Announces a widget that was saved or deleted, when the transaction commits. */
export const announceSaved = (
  tx: Tx,
  host: Pick<Host, 'clock' | 'ids'>,
  organizationId: string,
  widgetId: string,
): Promise<void> => announce(tx, host, events.widgetSaved, organizationId, { widgetId });

interface NotNoted extends NamedWidget {
  readonly secretId: string | null;
}

const atOnce = 100;
const againAfterMs = 10_000;
const everyMs = 3_600_000;

const beforeAll = '00000000-0000-0000-0000-000000000000';

const notNotedAfter = async (db: Database, id: string): Promise<NotNoted[]> => {
  const { rows } = await db.query<NotNoted>(
    `select id, organization_id as "organizationId", name, document->>'visitorTokenSecretId' as "secretId"
     from widgets where not is_secret_noted and id > $1 order by id limit ${atOnce}`,
    [id],
  );
  return rows;
};

/** True unless the organization is closed: its widgets are deleted, or looked at again when it was reopened. */
const isNoted = async (host: Asking, widget: NotNoted): Promise<boolean> => {
  try {
    await noteSecret(host, widget, widget.secretId);
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // The secret was deleted before its use was noted.
    if (error.code === 'SECRET_NOT_FOUND') return true;
    if (error.code === 'CONFLICT') return false;
    throw error;
  }
};

/** A widget that got another secret meanwhile had that one noted by its save. */
const settle = async (db: Database, { organizationId, id }: NamedWidget): Promise<void> => {
  await db.query('update widgets set is_secret_noted = true where organization_id = $1 and id = $2', [
    organizationId,
    id,
  ]);
};

/** Notes the secrets of widgets that an earlier release has saved, and tries again until tools-secrets has answered. */
export const startLateNotes = (host: Asking & Pick<Host, 'db' | 'logger'>): RunningPart =>
  startRounds({
    ...{ name: 'notes of the secrets of earlier widgets', everyMs, againAfterMs, logger: host.logger },
    round: async (stopping) => {
      for (let last: string | undefined = beforeAll; last !== undefined && !stopping.aborted; ) {
        const widgets: NotNoted[] = await notNotedAfter(host.db, last);
        last = widgets.length < atOnce ? undefined : widgets.at(-1)?.id;
        for (const widget of widgets) if (await isNoted(host, widget)) await settle(host.db, widget);
      }
    },
  });
