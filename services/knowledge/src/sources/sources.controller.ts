// Knowledge sources: list, create, change, read again, delete; and the addresses for uploads of documents.
import { Controller } from '@nestjs/common';
import type { contract, Data, RequestOf, serviceRequests } from '@parlance/contracts';
import { UrlRules } from '@parlance/egress';
import { AppError, validationError } from '@parlance/errors';
import { Cursors, refuseClosed } from '@parlance/postgres';
import { type Answer, answer, type RpcRequest, Serves } from '@parlance/rpc';
import { Host, refuseUnknownAgent } from '@parlance/service-host';
import { Limits } from '../limits.js';
import { announceSources, holdAgent } from './announce.js';
import { refuseOverChunks } from './chunk-quota.js';
import { sourceIdOf } from './source-ids.js';
import { type KnowledgeSource, type SourceRow, toSource } from './source-record.js';
import {
  deleteSource,
  getSource,
  insertSource,
  listSources,
  type NewSource,
  readAgain,
  refreshOnDemand,
  refuseOverLimit,
  updateSource,
} from './sources-repository.js';
import { Documents } from './uploads.js';

type Contract = typeof contract;
type AdmitUpload = (typeof serviceRequests)['knowledgeAdmitUpload'];
type CreateBody = RequestOf<Contract['knowledgeCreate']>['body'];
type SourceInput = NonNullable<CreateBody['sources']>[number];

const inputsOf = ({ sources, urls = [] }: CreateBody): readonly SourceInput[] =>
  sources ?? urls.map((url) => ({ type: 'url' as const, url }));

/** The last part of a file name that may be a path. */
const plainName = (fileName: string): string => fileName.split(/[/\\]/).at(-1) || 'file';

const nameOf = (input: SourceInput): string => {
  if (input.name !== undefined) return input.name;
  if (input.type === 'file') return plainName(input.fileName).slice(0, 200);
  const { hostname, pathname } = new URL(input.url);
  return `${hostname}${pathname === '/' ? '' : pathname}`.slice(0, 200);
};

const notOfType = (field: string, type: string): Error =>
  validationError([
    { path: `body.${field}`, code: 'invalid_value', message: `a source of type ${type} has none` },
  ]);

@Controller()
@Serves()
export class SourcesController {
  constructor(
    private readonly host: Host,
    private readonly cursors: Cursors,
    private readonly documents: Documents,
    private readonly limits: Limits,
    private readonly urls: UrlRules,
  ) {}

  async 'knowledge.list'({
    query,
    caller,
  }: RpcRequest<Contract['knowledgeList']>): Promise<Answer<KnowledgeSource[]>> {
    const { organizationId } = caller;
    const { agentId, ...page } = query;
    const scope = { organizationId, route: 'knowledge.list', filters: { agentId } };
    const { rows, next } = await this.cursors.page(scope, page, (keyset) =>
      listSources(this.host.db, organizationId, agentId, keyset),
    );
    return answer(rows.map(toSource), next);
  }

  async 'knowledge.create'({
    body,
    caller,
    requestId,
    commandId,
  }: RpcRequest<Contract['knowledgeCreate']>): Promise<KnowledgeSource[]> {
    const { organizationId } = caller;
    const inputs = inputsOf(body);
    await this.#check(organizationId, inputs);
    await refuseUnknownAgent(this.host, organizationId, body.agentId, requestId);
    const now = this.host.clock.now();
    // With an Idempotency-Key, the ids are made of the id of the command: a second try finds the first sources.
    const command = commandId ?? this.host.ids.next();
    return this.host.db.transaction(async (tx) => {
      await refuseClosed(tx, organizationId);
      if (await holdAgent(tx, organizationId, body.agentId)) throw new AppError('AGENT_NOT_FOUND');
      const rows: SourceRow[] = [];
      for (const [index, input] of inputs.entries()) {
        const id = sourceIdOf(command, index);
        const created = await insertSource(tx, organizationId, this.#newSource(id, body, input, now));
        if (created !== undefined) await readAgain(tx, organizationId, id, true);
        rows.push(created ?? (await getSource(tx, organizationId, id)));
      }
      await refuseOverLimit(tx, organizationId, body.agentId, this.limits.sourcesPerAgent);
      await refuseOverChunks(tx, organizationId, this.limits.chunks);
      await announceSources(tx, this.host, organizationId, body.agentId);
      return rows.map(toSource);
    });
  }

  async 'knowledge.uploadUrl'({
    query,
    caller: { organizationId },
  }: RpcRequest<Contract['knowledgeUploadUrl']>): Promise<Data<Contract['knowledgeUploadUrl']>> {
    return this.documents.offer(organizationId, query);
  }

  'knowledge.admitUpload'({ body }: RpcRequest<AdmitUpload>): Promise<Data<AdmitUpload>> {
    return this.documents.admit(body);
  }

  async 'knowledge.update'({
    params: { kbId },
    body,
    caller: { organizationId },
  }: RpcRequest<Contract['knowledgeUpdate']>): Promise<KnowledgeSource> {
    const { type } = await getSource(this.host.db, organizationId, kbId);
    if (type === 'url' && body.fileKey !== undefined) throw notOfType('fileKey', type);
    if (type === 'file' && body.url !== undefined) throw notOfType('url', type);
    if (type === 'file' && body.crawl !== undefined) throw notOfType('crawl', type);
    if (body.url !== undefined) this.#refuseUrl(body.url);
    if (body.fileKey !== undefined) await this.documents.check(organizationId, body.fileKey);
    const { url, fileKey, crawl, include } = body;
    const isRead = [url, fileKey, crawl, include].some((value) => value !== undefined);
    const now = this.host.clock.now();
    return this.host.db.transaction(async (tx) => {
      await refuseClosed(tx, organizationId);
      // The request has no name for the file, but its key ends with one.
      const fileName = body.fileKey === undefined ? undefined : plainName(body.fileKey);
      const changed = await updateSource(tx, organizationId, kbId, { ...body, fileName }, now);
      return toSource(isRead ? await readAgain(tx, organizationId, kbId, true) : changed);
    });
  }

  async 'knowledge.refresh'({
    params: { kbId },
    caller: { organizationId },
  }: RpcRequest<Contract['knowledgeRefresh']>): Promise<KnowledgeSource> {
    return this.host.db.transaction(async (tx) => {
      await refuseClosed(tx, organizationId);
      return toSource(await refreshOnDemand(tx, organizationId, kbId));
    });
  }

  async 'knowledge.delete'({
    params: { kbId },
    caller: { organizationId },
  }: RpcRequest<Contract['knowledgeDelete']>): Promise<Data<Contract['knowledgeDelete']>> {
    const { agent_id: agentId } = await getSource(this.host.db, organizationId, kbId);
    await this.host.db.transaction(async (tx) => {
      await holdAgent(tx, organizationId, agentId);
      await deleteSource(tx, organizationId, kbId);
      await announceSources(tx, this.host, organizationId, agentId);
    });
    return undefined;
  }

  #newSource(id: string, body: CreateBody, input: SourceInput, now: Date): NewSource {
    const isUrl = input.type === 'url';
    return {
      ...{ id, agentId: body.agentId, type: input.type, name: nameOf(input), now },
      usageMode: body.usageMode ?? 'auto',
      url: isUrl ? input.url : null,
      fileKey: isUrl ? null : input.fileKey,
      fileName: isUrl ? null : plainName(input.fileName),
      crawl: isUrl ? { mode: input.crawl?.mode ?? 'page', maxPages: input.crawl?.maxPages ?? 50 } : null,
      include: [...new Set(input.include)],
      refreshIntervalHours: (isUrl ? input.refreshIntervalHours : null) ?? null,
    };
  }

  /** Checks all sources before any is created: a refused source refuses the whole request. */
  async #check(organizationId: string, inputs: readonly SourceInput[]): Promise<void> {
    for (const input of inputs) if (input.type === 'url') this.#refuseUrl(input.url);
    for (const input of inputs)
      if (input.type === 'file') await this.documents.check(organizationId, input.fileKey);
  }

  #refuseUrl(url: string): void {
    const refusal = this.urls.refusal(url);
    if (refusal !== undefined) throw refusal;
  }
}
