// The campaign: a spreadsheet uploaded, started, and watched until the last call has ended.
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@parlance/client';
import { patiently } from './patience.js';
import { put } from './upload.js';

export type Campaign = Awaited<ReturnType<Client['outboundCalls']['getBatch']>>['data'];
export type Progress = Campaign['progress'];

const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const contentTypeOf = (file: string): string => (/\.xlsx$/i.test(file) ? spreadsheet : 'text/csv');

/** @returns the key under which the file now lies in the platform's storage */
export const upload = async (client: Client, file: string): Promise<string> => {
  const contentType = contentTypeOf(file);
  const query = { fileName: basename(file), contentType };
  const { data } = await patiently(() => client.outboundCalls.batchUploadUrl({ query }));
  await put(data.uploadUrl, file, contentType);
  return data.sourceFileKey;
};

export const startCampaign = async (
  client: Client,
  about: {
    readonly agentId: string;
    readonly fromNumber: string;
    readonly file: string;
    readonly callsPerSecond: number;
  },
): Promise<Campaign> => {
  const { agentId, fromNumber, file, callsPerSecond } = about;
  const sourceFileKey = await upload(client, file);
  const { data } = await client.outboundCalls.createBatch({
    body: {
      name: `Tour ${new Date().toISOString().slice(0, 19)}`,
      agentId,
      fromNumber,
      sourceFileKey,
      sourceFileName: basename(file),
      // One of the simulated phones rings for 20 seconds before a person answers.
      ringingTimeoutSeconds: 22,
      callsPerSecond,
    },
  });
  return data;
};

/** The number of recipients whose calls are over, with any end. */
export const overIn = ({ total, pending, queued, inProgress }: Progress): number =>
  total - pending - queued - inProgress;

const shares = ['completed', 'voicemail', 'noAnswer', 'busy', 'failed', 'cancelled', 'skipped'] as const;

/** The faults of the figures at one look, beside those of the look before. */
export const progressFaults = (before: Progress | undefined, now: Progress): string[] => {
  const sum = now.pending + now.queued + now.inProgress + shares.reduce((all, name) => all + now[name], 0);
  const faults = sum === now.total ? [] : [`the progress sums to ${sum}, of ${now.total} recipients`];
  if (before !== undefined && overIn(now) < overIn(before))
    faults.push('calls that were over are not any more');
  return faults;
};

const isOver = ({ status }: Campaign): boolean => ['completed', 'cancelled', 'failed'].includes(status);

export interface Look {
  readonly campaign: Campaign;
  /** The people on the phone right now. */
  readonly talking: readonly string[];
}

/**
 * Looks every second until the campaign is over.
 * @returns the campaign and every fault seen on the way
 * @throws Error when it is not over in time
 */
export const watch = async (
  client: Client,
  started: Campaign,
  onLook: (look: Look) => void,
  limitMs: number,
): Promise<{ readonly campaign: Campaign; readonly faults: string[]; readonly looks: number }> => {
  const deadline = Date.now() + limitMs;
  const faults = new Set<string>();
  let before: Progress | undefined;
  for (let looks = 1; ; looks += 1) {
    const params = { campaignId: started.id };
    const { data: campaign } = await patiently(() => client.outboundCalls.getBatch({ params }));
    for (const fault of progressFaults(before, campaign.progress)) faults.add(fault);
    before = campaign.progress;
    if (isOver(campaign)) return { campaign, faults: [...faults], looks };
    const { data: live } = await patiently(() => client.calls.live());
    const talking = live.flatMap(({ campaignId, toNumber, status }) =>
      campaignId === campaign.id && status === 'in_progress' && toNumber !== null ? [toNumber] : [],
    );
    onLook({ campaign, talking });
    if (Date.now() > deadline)
      throw new Error(`the campaign is still ${campaign.status}: ${campaign.statusReason}`);
    await pause(1_000);
  }
};
