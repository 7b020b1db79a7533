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
import { makeAgent, type TourAgent } from './agent.js';
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
import { type Dashboard, othersCalled, type Results, readDashboard, readResults } from './results.js';
import type { Credentials } from './setting.js';
import { signIn } from './sign-in.js';
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
  readonly ledger?: string | undefined;
  readonly limitMs: number;
  /** The terminal, unless given. */
  readonly narrator?: Narrator;
}

/** Calls that begin in a second. Real media of one machine needs a moment for each. */
const wirePace = 1;
const simulatedPace = 20;

/** What the tour found. Empty lists are good. */
export interface Findings {
  /** In sentences. */
  readonly faults: readonly string[];
  /** The checks that were not possible, and why, in sentences. */
  readonly unchecked: readonly string[];
}

interface Started {
  readonly agent: TourAgent;
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
  return { agent, abilities, campaign: await startCampaign(client, about) };
};

interface Over extends Started {
  readonly looks: number;
  readonly before: Dashboard;
  /** Other agents had calls while the tour began. */
  readonly hadOthers: boolean;
}

/** Shows the longest talk, with its runs of tools and its sources. Undefined when nobody talked. */
const showTalk = async (
  client: Client,
  { say }: Narrator,
  { agent }: Over,
  { log }: Results,
): Promise<string[] | undefined> => {
  const longest = longestOf(log);
  const talk = longest && (await readTalk(client, longest));
  if (talk === undefined || talk.turns.length < 2) return undefined;
  const passages = await passagesOf(client, agent.id, talk);
  say(talkStory(talk, passages));
  return passageFaults(talk, passages);
};

/** Holds every talk against the phone's part in it, and against the agent's tool and document. */
const holdTalks = async (
  client: Client,
  { say }: Narrator,
  { abilities }: Over,
  { log }: Results,
  {
    phones,
    entries,
    isAlone,
  }: {
    readonly phones: Phones;
    readonly entries: readonly AnyEntry[] | undefined;
    readonly isAlone: boolean;
  },
): Promise<string[]> => {
  const talks = await readTalks(client, talksExpected(log, phones));
  say(abilitiesStory(talks, abilities));
  // Telephones on the wire press digits, and their voice runtime need not have tools.
  if (phones === 'wire') return hearingFaults(talks);
  return [
    ...abilityFaults(talks, abilities),
    ...(abilities.tool && entries ? lookupFaults(entries, talks, log) : []),
    ...(isAlone ? await countFaults(client, abilities, talks) : []),
  ];
};

const notChecked = {
  phones: 'how each phone behaved is not known beforehand, so the ends of the calls are not held against it',
  ledger: 'there is no ledger of phones here, so the rings are not counted',
  tool: 'no practice runs here, so the agent had no tool',
  talk: 'nobody talked, so there is no transcript',
  others:
    'other calls took place meanwhile, so the figures of the dashboard and of the tool are not held against these calls',
} as const;

/** Holds the platform's many accounts of the calls against each other, and against the ledger. */
const hold = async (
  client: Client,
  narrator: Narrator,
  over: Over,
  { phones, ledger, practice }: TourOptions,
): Promise<Findings> => {
  const { say } = narrator;
  const results = await readResults(client, over.agent.id, over.campaign);
  const { outbound, log } = results;
  say(endingsStory(outbound, phones));
  const ofOneTalk = await showTalk(client, narrator, over, results);
  const entries = await readEntries(ledger);
  const isAlone = !over.hadOthers && !(await othersCalled(client, over.agent));
  const ofTalks = phones
    ? await holdTalks(client, narrator, over, results, { phones, entries, isAlone })
    : [];
  const after = await settled(
    () => readDashboard(client),
    (now) => !isAlone || dashboardFaults(over.before, now, log).length === 0,
  );
  say(dashboardStory(after));
  const found = entries && ringsOf(entries, new Set(log.map(({ roomName }) => roomName)));
  // Phones of another kind leave nothing in the ledger of the simulated ones.
  const rings = phones === undefined && found?.length === 0 ? undefined : found;
  if (rings !== undefined)
    say(
      `\nHeld against the ledger: ${log.length} attempts, ${rings.length} rings; progress looked at ${over.looks} times.`,
    );
  return {
    faults: [
      ...(phones === undefined ? [] : endingFaults(outbound, phones)),
      ...logFaults(results, over.campaign),
      ...transcriptFaults(log),
      ...(ofOneTalk ?? (phones === undefined ? [] : [notChecked.talk])),
      ...ofTalks,
      ...(isAlone ? dashboardFaults(over.before, after, log) : []),
      ...(rings === undefined ? [] : ringFaults(rings, log)),
    ],
    unchecked: [
      ...(phones === undefined ? [notChecked.phones] : []),
      ...(rings === undefined ? [notChecked.ledger] : []),
      ...(practice === undefined ? [notChecked.tool] : []),
      ...(ofOneTalk === undefined && phones === undefined ? [notChecked.talk] : []),
      ...(isAlone ? [] : [notChecked.others]),
    ],
  };
};

export const tour = async (options: TourOptions): Promise<Findings> => {
  const { credentials, limitMs, narrator = terminal } = options;
  const client = await signIn(credentials);
  const before = await readDashboard(client);
  const started = await begin(client, narrator, options);
  const hadOthers = await othersCalled(client, started.agent);
  const watching = narrator.watch();
  const { campaign, faults, looks } = await watch(client, started.campaign, watching.onLook, limitMs).finally(
    watching.stop,
  );
  narrator.say(fileStory(campaign));
  if (campaign.status !== 'completed') {
    const end = `the campaign is ${campaign.status}: ${campaign.statusReason}`;
    return { faults: [...faults, end], unchecked: [] };
  }
  const over = { ...started, campaign, looks, before, hadOthers };
  const held = await hold(client, narrator, over, options);
  return { ...held, faults: [...faults, ...held.faults] };
};
