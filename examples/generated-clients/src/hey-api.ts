// Starts a campaign, pages through the list of campaigns and reads an error, with the functions that Hey API generates.
import { client } from '../dist/hey-api/client.gen.ts';
import {
  outboundCallsBatchUploadUrl,
  outboundCallsCreateBatch,
  outboundCallsGetBatch,
  outboundCallsListBatches,
} from '../dist/hey-api/index.ts';
import { agentId, baseUrl, file, fromNumber, key, upload } from './settings.ts';

client.setConfig({ baseUrl, auth: key });

const startCampaign = async () => {
  const { data: place } = await outboundCallsBatchUploadUrl({ query: file, throwOnError: true });
  await upload(place.data.uploadUrl);
  const { data: campaign } = await outboundCallsCreateBatch({
    headers: { 'Idempotency-Key': crypto.randomUUID() },
    body: {
      name: 'Reminders',
      agentId,
      fromNumber,
      sourceFileKey: place.data.sourceFileKey,
      sourceFileName: file.fileName,
    },
    throwOnError: true,
  });
  return campaign.data;
};

const countCampaigns = async (): Promise<number> => {
  let count = 0;
  let cursor: string | undefined;
  do {
    const { data: page } = await outboundCallsListBatches({
      query: { limit: 50, cursor },
      throwOnError: true,
    });
    count += page.data.length;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return count;
};

/** True when there is a campaign with this id. */
const hasCampaign = async (campaignId: string): Promise<boolean> => {
  const { data, error } = await outboundCallsGetBatch({ path: { campaignId } });
  if (error?.error.code === 'CAMPAIGN_NOT_FOUND') return false;
  if (data === undefined) throw new Error(error?.message);
  return data.data.id === campaignId;
};

const { id, status } = await startCampaign();
console.log(`campaign ${id} is ${status}`);
console.log(`${await countCampaigns()} campaigns`);
console.log(`found: ${await hasCampaign(id)}, another: ${await hasCampaign(crypto.randomUUID())}`);
