// The operations on campaigns. Answers of commands and reads by id come from the stream and from the rows of the
// recipients. The list comes from the read model and follows a moment later.
import { Controller } from '@nestjs/common';
import type { Caller, contract, Data, serviceRequests } from '@parlance/contracts';
import type { EventMeta } from '@parlance/event-sourcing';
import { admitUpload, offerUpload } from '@parlance/object-storage';
import { type Answer, answer, type RpcRequest, Serves } from '@parlance/rpc';
import { campaignFrom } from '../campaigns/campaign-numbers.js';
import { concurrencyOf } from '../dispatch/quick-call.js';
import { ownedCampaign } from '../domain/campaign/campaign.js';
import type { KnownCampaign } from '../domain/campaign/campaign-state.js';
import { toCampaign } from '../domain/campaign/campaign-view.js';
import { noRecipients } from '../domain/campaign/recipient-states.js';
import { checkContentType, uploadKey } from '../import/uploads.js';
import { settingsOf } from '../limits/organization-settings.js';
import { listCampaigns } from '../read-models/campaign-queries.js';
import { outcomesByHour } from '../read-models/outcomes-by-hour.js';
import { countsOf } from '../recipients/recipient-counts.js';
import { isStopped, stopClaims } from '../recipients/recipients.js';
import { toOutcomes } from './campaign-outcomes.js';
import { CampaignParts } from './campaign-parts.js';
import { createCampaign } from './create-campaign.js';

type Contract = typeof contract;
type AdmitUpload = (typeof serviceRequests)['outboundCallsAdmitUpload'];
type CampaignFrom = (typeof serviceRequests)['outboundCallsCampaignFrom'];

/** There is no next page: a client with more campaigns than this asks for one agent's campaigns. */
const mostListed = 500;

@Controller()
@Serves()
export class CampaignsController {
  constructor(private readonly parts: CampaignParts) {}

  async 'outboundCalls.batchUploadUrl'({
    query: { fileName, contentType, bytes },
    caller: { organizationId },
  }: RpcRequest<Contract['outboundCallsBatchUploadUrl']>): Promise<
    Data<Contract['outboundCallsBatchUploadUrl']>
  > {
    const { uploads, ids } = this.parts;
    checkContentType(fileName, contentType);
    const sourceFileKey = uploadKey(organizationId, ids.next(), fileName);
    const offer = await offerUpload(uploads, { organizationId, key: sourceFileKey, contentType, bytes });
    return { ...offer, sourceFileKey, maxBytes: uploads.maxBytes };
  }

  'outboundCalls.admitUpload'({ body }: RpcRequest<AdmitUpload>): Promise<Data<AdmitUpload>> {
    return admitUpload(this.parts.uploads, body);
  }

  async 'outboundCalls.createBatch'({
    body,
    caller,
    requestId,
    commandId,
  }: RpcRequest<Contract['outboundCallsCreateBatch']>): Promise<
    Answer<Data<Contract['outboundCallsCreateBatch']>>
  > {
    const { campaigns, ids } = this.parts;
    const { organizationId } = caller;
    // Under an Idempotency-Key the command's id is the campaign's: a second try finds the campaign of the first one.
    const id = commandId ?? ids.next();
    const concurrency = await concurrencyOf(this.parts, organizationId);
    const before = commandId === undefined ? undefined : (await campaigns.load(id)).state;
    if (before !== undefined && before.phase !== 'absent')
      return answer(await this.#view(id, ownedCampaign(before, organizationId)), { concurrency });
    const meta = this.#meta(caller, requestId, commandId ?? id);
    const asked = { id, organizationId, requestId, createdBy: meta.actor, createdAt: meta.occurredAt };
    const { state } = await campaigns(id, await createCampaign(this.parts, body, asked), meta);
    return answer(await this.#view(id, ownedCampaign(state, organizationId)), { concurrency });
  }

  async 'outboundCalls.listBatches'({
    query,
    caller,
  }: RpcRequest<Contract['outboundCallsListBatches']>): Promise<
    Answer<Data<Contract['outboundCallsListBatches']>>
  > {
    const { db, clock, cursors } = this.parts;
    const { organizationId } = caller;
    const { agentId, cursor, limit = mostListed } = query;
    const scope = { organizationId, route: 'outboundCalls.listBatches', filters: { agentId } };
    const { rows, next } = await cursors.page(scope, { cursor, limit }, (keyset) =>
      listCampaigns(db, organizationId, agentId, keyset),
    );
    const counts = await countsOf(
      db,
      rows.map(({ id }) => id),
    );
    const now = clock.now();
    return answer(
      rows.map(({ id, state }) => toCampaign(id, state, counts.get(id) ?? noRecipients, now)),
      next,
    );
  }

  async 'outboundCalls.getBatch'({ params, caller }: RpcRequest<Contract['outboundCallsGetBatch']>) {
    const { state } = await this.parts.campaigns.load(params.campaignId);
    return this.#view(params.campaignId, ownedCampaign(state, caller.organizationId));
  }

  async 'outboundCalls.batchOutcomes'({
    params: { campaignId },
    caller: { organizationId },
  }: RpcRequest<Contract['outboundCallsBatchOutcomes']>): Promise<
    Data<Contract['outboundCallsBatchOutcomes']>
  > {
    const { db, campaigns, askSettings, clock } = this.parts;
    ownedCampaign((await campaigns.load(campaignId)).state, organizationId);
    const { timezone } = await settingsOf(db, askSettings, organizationId, clock.now());
    return toOutcomes(timezone, await outcomesByHour(db, organizationId, campaignId, timezone));
  }

  async 'outboundCalls.cancelBatch'({
    params: { campaignId },
    caller,
    requestId,
    commandId,
  }: RpcRequest<Contract['outboundCallsCancelBatch']>) {
    const { campaigns, ids, endCallsSoon } = this.parts;
    const { organizationId } = caller;
    const meta = this.#meta(caller, requestId, commandId ?? ids.next());
    const command = { type: 'CancelCampaign', organizationId, now: meta.occurredAt } as const;
    const { state } = await campaigns(campaignId, command, meta);
    const view = await this.#view(campaignId, ownedCampaign(state, organizationId));
    // From here on no recipient is taken in hand any more.
    endCallsSoon({ id: campaignId, organizationId });
    return view;
  }

  async 'outboundCalls.campaignFrom'({
    body,
    caller: { organizationId },
  }: RpcRequest<CampaignFrom>): Promise<Data<CampaignFrom>> {
    const wanted = { organizationId, phoneNumber: body.phoneNumber };
    return { campaignId: await campaignFrom(this.parts, wanted, this.parts.clock.now()) };
  }

  async #view(id: string, state: KnownCampaign) {
    const { db, clock } = this.parts;
    // After an answer that shows no pending recipient, no recipient's turn may come.
    if (state.phase === 'cancelled' && !(await isStopped(db, id)))
      await db.transaction((tx) => stopClaims(tx, id));
    const counts = await countsOf(db, [id]);
    return toCampaign(id, state, counts.get(id) ?? noRecipients, clock.now());
  }

  #meta({ organizationId, actor }: Caller, requestId: string, commandId: string): EventMeta {
    const occurredAt = this.parts.clock.now().toISOString();
    return { commandId, organizationId, actor: `${actor.type}:${actor.id}`, requestId, occurredAt };
  }
}
