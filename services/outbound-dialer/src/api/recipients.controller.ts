// The people of a campaign, as a list and as a file.
import { Controller } from '@nestjs/common';
import type { contract, Result, StreamEvent } from '@parlance/contracts';
import { ExportTurns } from '@parlance/csv';
import type { CursorScope } from '@parlance/postgres';
import { type Answer, answer, type RpcRequest, Serves, type StreamRequest } from '@parlance/rpc';
import { ownedCampaign } from '../domain/campaign/campaign.js';
import { CampaignParts } from './campaign-parts.js';
import { exportRecipients } from './export-recipients.js';
import { type PagedCampaign, pageOfRecipients } from './recipient-pages.js';

type Contract = typeof contract;
type List = Contract['outboundCallsListRecipients'];
type Export = Contract['outboundCallsExportRecipients'];

const defaultPageSize = 20;

@Controller()
@Serves()
export class RecipientsController {
  readonly #turns = new ExportTurns();

  constructor(private readonly parts: CampaignParts) {}

  async 'outboundCalls.listRecipients'({
    params: { campaignId },
    query: { limit = defaultPageSize, cursor, state },
    caller: { organizationId },
  }: RpcRequest<List>): Promise<Answer<Result<List>>> {
    const { cursors, clock } = this.parts;
    const filters = { campaignId, state };
    const scope: CursorScope = { organizationId, route: 'outboundCalls.listRecipients', filters };
    const after = Number(cursors.decode(scope, cursor)?.[0] ?? 0);
    const campaign = await this.#campaign(organizationId, campaignId);
    // One row more than the page tells whether there is a next page.
    const found = await pageOfRecipients(
      this.parts,
      campaign,
      state,
      { after, limit: limit + 1 },
      clock.now(),
    );
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    return answer(shown, last === undefined ? {} : { nextCursor: cursors.encode(scope, [last.rowNumber]) });
  }

  async 'outboundCalls.exportRecipients'({
    params: { campaignId },
    query: { state },
    caller: { organizationId },
    signal,
  }: StreamRequest<Export>): Promise<AsyncIterable<StreamEvent<Export>>> {
    const { clock } = this.parts;
    const campaign = await this.#campaign(organizationId, campaignId);
    return this.#turns.take(organizationId, signal, () =>
      exportRecipients((page) => pageOfRecipients(this.parts, campaign, state, page, clock.now()), signal),
    );
  }

  async #campaign(organizationId: string, campaignId: string): Promise<PagedCampaign> {
    const { state } = await this.parts.campaigns.load(campaignId);
    return { organizationId, campaignId, campaign: ownedCampaign(state, organizationId) };
  }
}
