// The tour itself, step by step.
import type { Client } from '@parlance/client';
import { makeAgent } from './agent.js';
import {
  dashboardFaults,
  endingFaults,
  hearingFaults,
  logFaults,
  ringFaults,
  ringsOf,
  transcriptFaults,
} from './audit.js';
import { callerNumber } from './caller-number.js';
import { type Campaign, startCampaign, watch } from './campaign.js';
import { type Narrator, terminal } from './narrator.js';
import { settled } from './patience.js';
import { type Dashboard, longestTalk, readDashboard, readResults, wholeTalks } from './results.js';
import { type Credentials, signIn } from './sign-in.js';
import type { Phones } from './simulated-phones.js';
import { dashboardStory, endingsStory, fileStory, talkStory } from './story.js';

export interface TourOptions {
  readonly credentials: Credentials;
  readonly file: string;
  /** The phones of the file, where the ends of their calls are known beforehand. */
  readonly phones?: Phones;
  /** Instead of one that is owned or bought. */
  readonly fromNumber?: string;
  /** Where a platform on this machine writes down what was dialled. */
  readonly ledger: string;
  readonly limitMs: number;
  /** The terminal, unless given. */
  readonly narrator?: Narrator;
}

/** Calls that begin in a second. Real media of one machine needs a moment for each. */
const wirePace = 1;
const simulatedPace = 20;

interface Started {
  readonly agentId: string;
  readonly campaign: Campaign;
}

const begin = async (client: Client, { say }: Narrator, options: TourOptions): Promise<Started> => {
  const agent = await makeAgent(client);
  say(`Agent "${agent.name}" runs on version ${agent.version} of its configuration.`);
  const caller = options.fromNumber
    ? { phoneNumber: options.fromNumber, isNew: false }
    : await callerNumber(client, say);
  say(`${caller.isNew ? 'Bought' : 'Calling from'} ${caller.phoneNumber}.\n`);
  const callsPerSecond = options.phones === 'wire' ? wirePace : simulatedPace;
  const about = { agentId: agent.id, fromNumber: caller.phoneNumber, file: options.file, callsPerSecond };
  return { agentId: agent.id, campaign: await startCampaign(client, about) };
};

interface Over extends Started {
  readonly looks: number;
  readonly before: Dashboard;
}

/** Holds what the platform tells in many places against each other, and against the ledger. */
const hold = async (
  client: Client,
  { say }: Narrator,
  { agentId, campaign, looks, before }: Over,
  { phones, ledger }: TourOptions,
): Promise<string[]> => {
  const { outbound, log } = await readResults(client, agentId, campaign);
  say(endingsStory(outbound, phones));
  const talk = await longestTalk(client, log);
  const isSilent = talk === undefined || talk.turns.length < 2;
  if (!isSilent) say(talkStory(talk.call, talk.turns));
  const after = await settled(
    () => readDashboard(client),
    (now) => dashboardFaults(before, now, log).length === 0,
  );
  say(dashboardStory(after));
  const rings = await ringsOf(ledger, new Set(log.map(({ roomName }) => roomName)));
  say(
    rings === undefined
      ? '\nThere is no ledger of phones to hold this against.'
      : `\nHeld against the ledger: ${log.length} attempts, ${rings.length} rings; progress looked at ${looks} times.`,
  );
  return [
    ...(phones === undefined ? [] : endingFaults(outbound, phones)),
    ...(phones === 'wire' ? hearingFaults(await wholeTalks(client, log)) : []),
    ...logFaults({ outbound, log }, campaign),
    ...transcriptFaults(log),
    ...(isSilent ? ['nobody talked, so there is no transcript'] : []),
    ...dashboardFaults(before, after, log),
    ...(rings === undefined ? [] : ringFaults(rings, log)),
  ];
};

/** @returns what was wrong, in sentences; empty when everything was as it should be */
export const tour = async (options: TourOptions): Promise<{ readonly faults: readonly string[] }> => {
  const { credentials, limitMs, narrator = terminal } = options;
  const client = await signIn(credentials);
  const before = await readDashboard(client);
  const started = await begin(client, narrator, options);
  const watching = narrator.watch();
  const { campaign, faults, looks } = await watch(client, started.campaign, watching.onLook, limitMs).finally(
    watching.stop,
  );
  narrator.say(fileStory(campaign));
  if (campaign.status !== 'completed')
    return { faults: [...faults, `the campaign is ${campaign.status}: ${campaign.statusReason}`] };
  const over = { agentId: started.agentId, campaign, looks, before };
  return { faults: [...faults, ...(await hold(client, narrator, over, options))] };
};
