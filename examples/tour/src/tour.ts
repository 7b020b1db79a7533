// The tour itself, step by step.
import type { Client } from '@parlance/client';
import {
  type Abilities,
  abilityFaults,
  countFaults,
  giveAbilities,
  lookupFaults,
  passageFaults,
} from './abilities.js';
import { makeAgent } from './agent.js';
import {
  dashboardFaults,
  endingFaults,
  hearingFaults,
  logFaults,
  ringFaults,
  talksExpected,
  transcriptFaults,
} from './audit.js';
import { callerNumber } from './caller-number.js';
import { type Campaign, startCampaign, watch } from './campaign.js';
import { type AnyEntry, readEntries, ringsOf } from './ledger.js';
import { type Narrator, terminal } from './narrator.js';
import { settled } from './patience.js';
import type { Practice } from './practice.js';
import { type Dashboard, type Results, readDashboard, readResults } from './results.js';
import { type Credentials, signIn } from './sign-in.js';
import type { Phones } from './simulated-phones.js';
import { abilitiesStory, dashboardStory, endingsStory, fileStory, talkStory } from './story.js';
import { longestOf, passagesOf, readTalk, readTalks } from './talks.js';

export interface TourOptions {
  readonly credentials: Credentials;
  readonly file: string;
  /** The phones of the file, where the ends of their calls are known beforehand. */
  readonly phones?: Phones;
  /** The system that the agent's tool asks; without it the agent has no tool. */
  readonly practice?: Practice | undefined;
  /** Instead of one that is owned or bought. */
  readonly fromNumber?: string;
  /** The path of the file in which a platform on this machine records each dial. */
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
  readonly abilities: Abilities;
  readonly campaign: Campaign;
}

const begin = async (client: Client, { say }: Narrator, options: TourOptions): Promise<Started> => {
  const agent = await makeAgent(client);
  say(`Agent "${agent.name}" runs on version ${agent.version} of its configuration.`);
  const abilities = await giveAbilities(client, agent.id, options.practice, say);
  const caller = options.fromNumber
    ? { phoneNumber: options.fromNumber, isNew: false }
    : await callerNumber(client, say);
  say(`${caller.isNew ? 'Bought' : 'Calling from'} ${caller.phoneNumber}.\n`);
  const callsPerSecond = options.phones === 'wire' ? wirePace : simulatedPace;
  const about = { agentId: agent.id, fromNumber: caller.phoneNumber, file: options.file, callsPerSecond };
  return { agentId: agent.id, abilities, campaign: await startCampaign(client, about) };
};

interface Over extends Started {
  readonly looks: number;
  readonly before: Dashboard;
}

/** Shows the longest talk, with its runs of tools and its sources. */
const showTalk = async (
  client: Client,
  { say }: Narrator,
  { agentId }: Over,
  { log }: Results,
): Promise<string[]> => {
  const longest = longestOf(log);
  const talk = longest && (await readTalk(client, longest));
  if (talk === undefined || talk.turns.length < 2) return ['no person talked, so there is no transcript'];
  const passages = await passagesOf(client, agentId, talk);
  say(talkStory(talk, passages));
  return passageFaults(talk, passages);
};

/** Holds every talk against the phone's part in it, and against the agent's tool and document. */
const holdTalks = async (
  client: Client,
  { say }: Narrator,
  { abilities }: Over,
  { log }: Results,
  { phones, entries }: { readonly phones: Phones; readonly entries: readonly AnyEntry[] | undefined },
): Promise<string[]> => {
  const talks = await readTalks(client, talksExpected(log, phones));
  say(abilitiesStory(talks, abilities));
  // Telephones on the wire press digits, and their voice runtime need not have tools.
  if (phones === 'wire') return hearingFaults(talks);
  return [
    ...abilityFaults(talks, abilities),
    ...(abilities.tool && entries ? lookupFaults(entries, talks, log) : []),
    ...(await countFaults(client, abilities, talks)),
  ];
};

/** Holds the platform's many accounts of the calls against each other, and against the ledger. */
const hold = async (
  client: Client,
  narrator: Narrator,
  over: Over,
  { phones, ledger }: TourOptions,
): Promise<string[]> => {
  const { say } = narrator;
  const results = await readResults(client, over.agentId, over.campaign);
  const { outbound, log } = results;
  say(endingsStory(outbound, phones));
  const ofOneTalk = await showTalk(client, narrator, over, results);
  const entries = await readEntries(ledger);
  const ofTalks = phones ? await holdTalks(client, narrator, over, results, { phones, entries }) : [];
  const after = await settled(
    () => readDashboard(client),
    (now) => dashboardFaults(over.before, now, log).length === 0,
  );
  say(dashboardStory(after));
  const rings = entries && ringsOf(entries, new Set(log.map(({ roomName }) => roomName)));
  say(
    rings === undefined
      ? '\nThere is no ledger of phones to hold this against.'
      : `\nHeld against the ledger: ${log.length} attempts, ${rings.length} rings; progress looked at ${over.looks} times.`,
  );
  return [
    ...(phones === undefined ? [] : endingFaults(outbound, phones)),
    ...logFaults(results, over.campaign),
    ...transcriptFaults(log),
    ...ofOneTalk,
    ...ofTalks,
    ...dashboardFaults(over.before, after, log),
    ...(rings === undefined ? [] : ringFaults(rings, log)),
  ];
};

/** @returns the faults, in sentences; empty when everything was as it should be */
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
  const over = { ...started, campaign, looks, before };
  return { faults: [...faults, ...(await hold(client, narrator, over, options))] };
};
