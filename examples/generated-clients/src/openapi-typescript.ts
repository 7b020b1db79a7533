// Starts a campaign, pages through the list of campaigns and reads an error, with openapi-fetch over generated types.
import createClient from 'openapi-fetch';
import type { components, paths } from '../dist/openapi-typescript.ts';
import { agentId, baseUrl, file, fromNumber, key, upload } from './settings.ts';

const client = createClient<paths>({ baseUrl, headers: { 'x-api-key': key } });

/** The body of a successful response. */
const read = <Body>(result: {
  data?: Body;
  error?: components['schemas']['ErrorResponse'];
  response: Response;
}): Body => {
  if (result.data === undefined) throw new Error(result.error?.message ?? String(result.response.status));
  return result.data;
};

const startCampaign = async () => {
  const { data } = read(await client.GET('/outbound-calls/batch-upload-url', { params: { query: file } }));
  await upload(data.uploadUrl);
  const campaign = await client.POST('/outbound-calls/batches', {
    params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
    body: {
      name: 'Reminders',
      agentId,
      fromNumber,
      sourceFileKey: data.sourceFileKey,
      sourceFileName: file.fileName,
    },
  });
  return read(campaign).data;
};

const countCampaigns = async (): Promise<number> => {
  let count = 0;
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? { limit: 50 } : { limit: 50, cursor };
    const page = read(await client.GET('/outbound-calls/batches', { params: { query } }));
    count += page.data.length;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return count;
};

/** True when there is a campaign with this id. */
const hasCampaign = async (campaignId: string): Promise<boolean> => {
  const result = await client.GET('/outbound-calls/batches/{campaignId}', {
    params: { path: { campaignId } },
  });
  if (result.error?.error.code === 'CAMPAIGN_NOT_FOUND') return false;
  return read(result).data.id === campaignId;
};

const { id, status } = await startCampaign();
console.log(`campaign ${id} is ${status}`);
console.log(`${await countCampaigns()} campaigns`);
console.log(`found: ${await hasCampaign(id)}, another: ${await hasCampaign(crypto.randomUUID())}`);
