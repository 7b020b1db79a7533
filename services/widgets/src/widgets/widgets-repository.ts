// Widgets in Postgres. Queries for people name the organization first; a foreign id is an unknown id.
import { AppError } from '@parlance/errors';
import type { Keyset, Tx } from '@parlance/postgres';
import { type WidgetDocument, type WidgetRow, widgetColumns } from './widget-record.js';

export interface SavedWidget {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly document: WidgetDocument;
  readonly now: Date;
}

const found = (row: WidgetRow | undefined): WidgetRow => {
  if (row === undefined) throw new AppError('WIDGET_NOT_FOUND');
  return row;
};

/** Oldest first. */
export const listWidgets = async (
  tx: Tx,
  organizationId: string,
  agentId: string,
  { createdAt, id, limit }: Keyset,
): Promise<WidgetRow[]> => {
  const { rows } = await tx.query<WidgetRow>(
    `select ${widgetColumns} from widgets
     where organization_id = $1 and agent_id = $2 and (created_at, id) > ($3::timestamptz, $4::uuid)
     order by created_at, id limit $5`,
    [organizationId, agentId, createdAt, id, limit],
  );
  return rows;
};

/** @throws AppError WIDGET_NOT_FOUND */
export const getWidget = async (tx: Tx, organizationId: string, id: string): Promise<WidgetRow> => {
  const { rows } = await tx.query<WidgetRow>(
    `select ${widgetColumns} from widgets where organization_id = $1 and id = $2`,
    [organizationId, id],
  );
  return found(rows[0]);
};

/** The widget, locked against other changes until the transaction ends. @throws AppError WIDGET_NOT_FOUND */
export const lockWidget = async (tx: Tx, organizationId: string, id: string): Promise<WidgetRow> => {
  const { rows } = await tx.query<WidgetRow>(
    `select ${widgetColumns} from widgets where organization_id = $1 and id = $2 for update`,
    [organizationId, id],
  );
  return found(rows[0]);
};

/** Finds the widget in every organization, because a visitor names none. @throws AppError WIDGET_NOT_FOUND when disabled */
export const enabledWidget = async (tx: Tx, id: string): Promise<WidgetRow> => {
  const { rows } = await tx.query<WidgetRow>({
    name: 'enabled_widget',
    text: `select ${widgetColumns} from widgets where id = $1 and enabled`,
    values: [id],
  });
  return found(rows[0]);
};

export const countWidgets = async (tx: Tx, organizationId: string): Promise<number> => {
  const { rows } = await tx.query<{ count: number }>(
    'select count(*)::int as count from widgets where organization_id = $1',
    [organizationId],
  );
  return rows[0]?.count ?? 0;
};

/** False when a widget with this id exists already. */
export const insertWidget = async (
  tx: Tx,
  organizationId: string,
  agentId: string,
  widget: SavedWidget,
): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `insert into widgets (id, organization_id, agent_id, name, enabled, document, created_at, updated_at, is_secret_noted)
     values ($1, $2, $3, $4, $5, $6, $7, $7, true) on conflict (id) do nothing`,
    [
      ...[widget.id, organizationId, agentId, widget.name, widget.enabled],
      ...[JSON.stringify(widget.document), widget.now],
    ],
  );
  return rowCount > 0;
};

export const updateWidget = async (tx: Tx, organizationId: string, widget: SavedWidget): Promise<void> => {
  await tx.query(
    `update widgets set name = $3, enabled = $4, document = $5, updated_at = $6
     where organization_id = $1 and id = $2`,
    [
      ...[organizationId, widget.id, widget.name, widget.enabled],
      ...[JSON.stringify(widget.document), widget.now],
    ],
  );
};

export const deleteWidgetRow = async (tx: Tx, organizationId: string, id: string): Promise<void> => {
  await tx.query('delete from widgets where organization_id = $1 and id = $2', [organizationId, id]);
};
