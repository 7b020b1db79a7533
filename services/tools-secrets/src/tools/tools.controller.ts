// Tools of an organization: created, changed, listed, deleted, and given to agents.
import { Controller } from '@nestjs/common';
import {
  type Caller,
  type contract,
  type EventOf,
  events,
  type Result,
  type serviceRequests,
  type Tool,
  type ToolInput,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { announce, refuseClosed, type Tx } from '@parlance/postgres';
import { type Answer, answer, type RpcRequest, Serves } from '@parlance/rpc';
import { Parts } from '../parts.js';
import { allowUses } from '../secrets/allowed-origins.js';
import { replaceReferences } from '../secrets/references.js';
import { refuseUnknown } from './agent-of-request.js';
import { toolAttachments } from './attachments.js';
import { type StoredRequest, sealHeaders, shownHeaders } from './header-values.js';
import { mentionsOf, type Sent, usesOf } from './mentions.js';
import { type ToolDocument, type ToolRow, toTool, toToolForRuntime } from './tool-record.js';
import { checkTool } from './tool-rules.js';
import {
  activeToolsOfAgent,
  countTools,
  deleteTool,
  getTool,
  getToolWithUse,
  insertTool,
  listTools,
  listToolsOfAgent,
  lockTool,
  updateTool,
} from './tools-repository.js';

type Contract = typeof contract;
type ForAgent = (typeof serviceRequests)['toolsForAgent'];
type Attached = Result<Contract['toolsAttach']>;
type Saved = Omit<ToolInput, 'type'>;
type ToolChange = EventOf<typeof events.toolChanged>['data']['change'];

/** The list of tools has no pages. Commands at the same time may exceed this limit, because each counts by itself. */
const maxTools = 200;

const asSaved = ({ name, is_active: isActive, document }: ToolRow): Saved => ({
  name,
  isActive,
  ...document,
  request: { ...document.request, headers: shownHeaders(document.request.headers) },
});

const attachmentOf = ({ toolId, agentId }: Omit<Attached, 'attached'>) => ({
  agentId,
  thingId: toolId,
});

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const given = <T extends object>(change: T): Given<T> => {
  const entries = Object.entries(change).filter(([, value]) => value !== undefined);
  // Only keys of T are left, with the values that they had.
  return Object.fromEntries(entries) as Given<T>;
};

@Controller()
@Serves()
export class ToolsController {
  constructor(private readonly parts: Parts) {}

  async 'tools.list'({ query, caller }: RpcRequest<Contract['toolsList']>): Promise<Answer<Tool[]>> {
    const { db, cursors } = this.parts;
    const { organizationId } = caller;
    const scope = { organizationId, route: 'tools.list', filters: {} };
    const { rows, next } = await cursors.page(scope, query, (keyset) =>
      listTools(db, organizationId, keyset),
    );
    return answer(rows.map(toTool), next);
  }

  async 'tools.listForAgent'({
    params: { agentId },
    query,
    composed,
    caller,
    requestId,
  }: RpcRequest<Contract['toolsListForAgent']>): Promise<Answer<Tool[]>> {
    const { db, cursors } = this.parts;
    const { organizationId } = caller;
    await refuseUnknown(this.parts, composed, { organizationId, agentId, requestId });
    const scope = { organizationId, route: 'tools.listForAgent', filters: { agentId } };
    const { rows, next } = await cursors.page(scope, query, (keyset) =>
      listToolsOfAgent(db, organizationId, agentId, keyset),
    );
    return answer(rows.map(toTool), next);
  }

  async 'tools.forAgent'({ body, caller }: RpcRequest<ForAgent>): Promise<Result<ForAgent>> {
    const tools = await activeToolsOfAgent(this.parts.db, caller.organizationId, body.agentId);
    return tools.map(toToolForRuntime);
  }

  async 'tools.create'({ body, caller, commandId }: RpcRequest<Contract['toolsCreate']>): Promise<Tool> {
    const { organizationId } = caller;
    checkTool(body, this.parts.urls);
    // With an Idempotency-Key the tool takes the command's id, so that a second try finds the tool of the first.
    const id = commandId ?? this.parts.ids.next();
    const { type: _type, ...saved } = body;
    const document = this.#documentOf({ organizationId, toolId: id }, saved, undefined);
    return this.parts.db.transaction(async (tx) => {
      await refuseClosed(tx, organizationId);
      const now = this.parts.clock.now();
      const { name, isActive } = saved;
      if (await insertTool(tx, organizationId, { id, name, isActive, document, now })) {
        if ((await countTools(tx, organizationId)) > maxTools) {
          throw new AppError('CONFLICT', { details: { maxTools } });
        }
        await this.#refer(tx, caller, { id, name }, body);
        await this.#announce(tx, organizationId, id, 'created');
      }
      return toTool(await getToolWithUse(tx, organizationId, id));
    });
  }

  async 'tools.update'({ params, body, caller }: RpcRequest<Contract['toolsUpdate']>): Promise<Tool> {
    const { organizationId } = caller;
    const id = params.toolId;
    return this.parts.db.transaction(async (tx) => {
      const stored = await lockTool(tx, organizationId, id);
      const before = asSaved(stored);
      const saved = { ...before, ...given(body) };
      checkTool(saved, this.parts.urls, before);
      const { request } = stored.document;
      const document = this.#documentOf({ organizationId, toolId: id }, saved, request);
      const { name, isActive } = saved;
      await updateTool(tx, organizationId, { id, name, isActive, document, now: this.parts.clock.now() });
      await this.#refer(tx, caller, { id, name }, saved);
      await this.#announce(tx, organizationId, id, 'updated');
      return toTool(await getToolWithUse(tx, organizationId, id));
    });
  }

  async 'tools.delete'({ params, caller }: RpcRequest<Contract['toolsDelete']>): Promise<undefined> {
    const { organizationId } = caller;
    await this.parts.db.transaction(async (tx) => {
      const { id, name } = await lockTool(tx, organizationId, params.toolId);
      await toolAttachments.detachFromAll(tx, this.parts, organizationId, id);
      await replaceReferences(tx, organizationId, { id, type: 'tool', name }, { ids: [], names: [] });
      await deleteTool(tx, organizationId, id);
      await this.#announce(tx, organizationId, id, 'deleted');
    });
  }

  async 'tools.attach'({
    params,
    composed,
    caller,
    requestId,
  }: RpcRequest<Contract['toolsAttach']>): Promise<Attached> {
    const { organizationId } = caller;
    await getTool(this.parts.db, organizationId, params.toolId);
    const { agentId } = params;
    await refuseUnknown(this.parts, composed, { organizationId, agentId, requestId });
    await this.parts.db.transaction(async (tx) => {
      await refuseClosed(tx, organizationId);
      await lockTool(tx, organizationId, params.toolId);
      await toolAttachments.attach(tx, this.parts, organizationId, attachmentOf(params));
    });
    return { ...params, attached: true };
  }

  async 'tools.detach'({
    params,
    composed,
    caller,
    requestId,
  }: RpcRequest<Contract['toolsDetach']>): Promise<Attached> {
    const { organizationId } = caller;
    await getTool(this.parts.db, organizationId, params.toolId);
    const wasAttached = await this.parts.db.transaction(async (tx) => {
      await lockTool(tx, organizationId, params.toolId);
      return toolAttachments.detach(tx, this.parts, organizationId, attachmentOf(params));
    });
    const { agentId } = params;
    if (!wasAttached) await refuseUnknown(this.parts, composed, { organizationId, agentId, requestId });
    return { ...params, attached: false };
  }

  /** @throws AppError SECRET_NOT_FOUND, SECRET_ORIGIN_NOT_ALLOWED */
  async #refer(
    tx: Tx,
    { organizationId, permissions }: Caller,
    tool: Pick<Tool, 'id' | 'name'>,
    saved: Sent,
  ): Promise<void> {
    await replaceReferences(tx, organizationId, { ...tool, type: 'tool' }, mentionsOf(saved));
    await allowUses(tx, organizationId, usesOf(saved), permissions.includes('secrets:use'));
  }

  #announce(tx: Tx, organizationId: string, toolId: string, change: ToolChange): Promise<void> {
    return announce(tx, this.parts, events.toolChanged, organizationId, { toolId, change });
  }

  #documentOf(
    tool: { readonly organizationId: string; readonly toolId: string },
    { name: _name, isActive: _isActive, request, ...settings }: Saved,
    stored: StoredRequest | undefined,
  ): ToolDocument {
    const headers = sealHeaders(this.parts.keyring, tool, request, stored);
    return { ...settings, request: { ...request, headers } };
  }
}
