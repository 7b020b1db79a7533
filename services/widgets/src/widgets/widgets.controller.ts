// Widgets of an organization: created, listed, read, changed and deleted.
import { Controller, Inject } from '@nestjs/common';
import type { contract, Result, serviceRequests, Widget } from '@parlance/contracts';
import { AppError, validationError } from '@parlance/errors';
import { Cursors, refuseClosed } from '@parlance/postgres';
import { type Answer, answer, type RpcRequest, Serves } from '@parlance/rpc';
import { Host, savingSecrets, secretsInUse } from '@parlance/service-host';
import { endSessionsOfWidget, forgetSessionsOfWidget } from '../sessions/session-rows.js';
import { askAgent } from './agents.js';
import { announceWidgets, holdAgent } from './announce.js';
import { announceSaved, secretOf } from './noted-secrets.js';
import { secretInUse } from './secret-in-use.js';
import {
  changedDocument,
  newDocument,
  toWidget,
  type WidgetDocument,
  widgetBaseUrl,
} from './widget-record.js';
import {
  countWidgets,
  deleteWidgetRow,
  getWidget,
  insertWidget,
  listWidgets,
  lockWidget,
  updateWidget,
} from './widgets-repository.js';

type Contract = typeof contract;
type References = (typeof serviceRequests)['widgetsSecretReferences'];

/** The list of widgets has no pages. */
const maxWidgets = 200;

const required = (path: string) =>
  validationError([{ path: `body.${path}`, code: 'required', message: 'is required here' }]);

/** @throws AppError VALIDATION_ERROR */
const refuseMisfits = ({ consent, requireVisitorToken, visitorTokenSecretId }: WidgetDocument): void => {
  if (consent.required && consent.text === null) throw required('consent.text');
  if (requireVisitorToken && visitorTokenSecretId === null) throw required('visitorTokenSecretId');
};

@Controller()
@Serves()
export class WidgetsController {
  constructor(
    private readonly host: Host,
    private readonly cursors: Cursors,
    @Inject(widgetBaseUrl) private readonly baseUrl: string,
  ) {}

  async 'widgets.listForAgent'({
    params: { agentId },
    query,
    caller: { organizationId },
  }: RpcRequest<Contract['widgetsListForAgent']>): Promise<Answer<Widget[]>> {
    await askAgent(this.host, { organizationId, agentId });
    const scope = { organizationId, route: 'widgets.listForAgent', filters: { agentId } };
    const { rows, next } = await this.cursors.page(
      scope,
      query,
      (keyset) => listWidgets(this.host.db, organizationId, agentId, keyset),
      'oldest first',
    );
    return answer(
      rows.map((row) => toWidget(row, this.baseUrl)),
      next,
    );
  }

  async 'widgets.create'({
    params: { agentId },
    body,
    caller: { organizationId },
    commandId,
    requestId,
  }: RpcRequest<Contract['widgetsCreate']>): Promise<Widget> {
    const { ids, clock } = this.host;
    const { name, enabled = true, ...settings } = body;
    const document = changedDocument(newDocument, settings);
    refuseMisfits(document);
    await askAgent(this.host, { organizationId, agentId });
    // With an Idempotency-Key the widget takes the command's id, so that a second try finds the widget of the first.
    const id = commandId ?? ids.next();
    return savingSecrets(this.host, { organizationId, requestId }, async (tx, note) => {
      await refuseClosed(tx, organizationId);
      if (await holdAgent(tx, organizationId, agentId)) throw new AppError('AGENT_NOT_FOUND');
      if (
        await insertWidget(tx, organizationId, agentId, { id, name, enabled, document, now: clock.now() })
      ) {
        if ((await countWidgets(tx, organizationId)) > maxWidgets)
          throw new AppError('CONFLICT', { details: { maxWidgets } });
        await note(secretOf({ id, name }, document.visitorTokenSecretId));
        await announceWidgets(tx, this.host, organizationId, agentId);
        await announceSaved(tx, this.host, organizationId, id);
      }
      return toWidget(await getWidget(tx, organizationId, id), this.baseUrl);
    });
  }

  async 'widgets.get'({
    params: { widgetId },
    caller: { organizationId },
  }: RpcRequest<Contract['widgetsGet']>): Promise<Widget> {
    return toWidget(await getWidget(this.host.db, organizationId, widgetId), this.baseUrl);
  }

  async 'widgets.update'({
    params: { widgetId },
    body,
    caller: { organizationId },
    requestId,
  }: RpcRequest<Contract['widgetsUpdate']>): Promise<Widget> {
    const { db, clock } = this.host;
    await getWidget(db, organizationId, widgetId);
    return savingSecrets(this.host, { organizationId, requestId }, async (tx, note) => {
      await refuseClosed(tx, organizationId);
      const before = await lockWidget(tx, organizationId, widgetId);
      const { name = before.name, enabled = before.enabled, ...settings } = body;
      const document = changedDocument(before.document, settings);
      refuseMisfits(document);
      await note(secretOf({ id: widgetId, name }, body.visitorTokenSecretId));
      await updateWidget(tx, organizationId, { id: widgetId, name, enabled, document, now: clock.now() });
      await announceSaved(tx, this.host, organizationId, widgetId);
      if (!enabled) await endSessionsOfWidget(tx, organizationId, widgetId);
      return toWidget(await getWidget(tx, organizationId, widgetId), this.baseUrl);
    });
  }

  async 'widgets.delete'({
    params: { widgetId },
    caller: { organizationId },
  }: RpcRequest<Contract['widgetsDelete']>): Promise<undefined> {
    const { db } = this.host;
    const { agent_id: agentId } = await getWidget(db, organizationId, widgetId);
    await db.transaction(async (tx) => {
      await holdAgent(tx, organizationId, agentId);
      await lockWidget(tx, organizationId, widgetId);
      await forgetSessionsOfWidget(tx, organizationId, widgetId);
      await deleteWidgetRow(tx, organizationId, widgetId);
      await announceWidgets(tx, this.host, organizationId, agentId);
      await announceSaved(tx, this.host, organizationId, widgetId);
    });
    return undefined;
  }

  async 'widgets.secretReferences'({ body, caller }: RpcRequest<References>): Promise<Result<References>> {
    const { organizationId } = caller;
    const resource = { organizationId, type: 'widget', id: body.widgetId } as const;
    return secretsInUse(this.host.db, resource, (tx) => secretInUse(tx, organizationId, body.widgetId));
  }
}
