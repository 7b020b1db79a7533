// The agent's tool and document, and the checks of both after the campaign.
import { fileURLToPath } from 'node:url';
import type { Client } from '@parlance/client';
import { giveDocument, type Source } from './document.js';
import { type AnyEntry, lookupsOf } from './ledger.js';
import { giveTool, type Practice, runsSince, type TourTool } from './practice.js';
import type { CallLog } from './results.js';
import type { Passage, Talk } from './talks.js';

export interface Abilities {
  /** Undefined where no system runs that the tool could ask. */
  readonly tool: TourTool | undefined;
  readonly source: Source;
}

const handbook = fileURLToPath(new URL('../handbook.md', import.meta.url));

export const giveAbilities = async (
  client: Client,
  agentId: string,
  practice: Practice | undefined,
  say: (text: string) => void,
): Promise<Abilities> => {
  const tool = practice && (await giveTool(client, agentId, practice));
  say(
    tool
      ? `Its tool ${tool.name} asks ${practice?.url}, with a secret.`
      : 'No practice runs here, so it has no tool.',
  );
  return { tool, source: await giveDocument(client, agentId, handbook, say) };
};

const hidden = '•••';

const runFaults = ({ call, turns, runs }: Talk, { name }: TourTool): string[] => {
  const who = call.toNumber;
  const [run] = runs;
  const turn = turns.find(({ role }) => role === 'tool')?.toolCall;
  if (run === undefined || turn == null || runs.length > 1)
    return [`${who} asked once for ${name}, and the call has ${runs.length} runs of tools`];
  const { doctor } = call.dynamicVariables;
  const faults: string[] = [];
  if (run.name !== name || run.status !== 'ok') faults.push(`${who}: ${run.name} ended with ${run.status}`);
  if (run.arguments?.name !== hidden || run.arguments.doctor !== doctor)
    faults.push(`${who}: the record of the run shows ${JSON.stringify(run.arguments)}`);
  if (!JSON.stringify(turn.result).includes(`"${doctor}"`))
    faults.push(`${who} was told of another doctor than ${doctor}: ${JSON.stringify(turn.result)}`);
  return faults;
};

const sourceFaults = ({ call, turns }: Talk, { id, name }: Source): string[] => {
  const ids = turns.flatMap(({ sources }) => sources.map(({ knowledgeSourceId }) => knowledgeSourceId));
  if (ids.length === 0) return [`${call.toNumber} got no answer out of ${name}`];
  return ids.every((one) => one === id) ? [] : [`${call.toNumber} got an answer out of another document`];
};

/** Every person who talked to the end has asked once for the tool and once for the document. */
export const abilityFaults = (talks: readonly Talk[], { tool, source }: Abilities): string[] =>
  talks.flatMap((talk) => [...(tool ? runFaults(talk, tool) : []), ...sourceFaults(talk, source)]);

/** The practice was asked once in each of these talks, and in no other call of the campaign. */
export const lookupFaults = (
  entries: readonly AnyEntry[],
  talks: readonly Talk[],
  log: readonly CallLog[],
): string[] => {
  const asked = lookupsOf(entries);
  const talked = new Set(talks.map(({ call }) => call.id));
  return log.flatMap(({ id, toNumber }) => {
    const [times, expected] = [asked.get(id) ?? 0, talked.has(id) ? 1 : 0];
    return times === expected ? [] : [`${toNumber}: the practice was asked ${times} times, not ${expected}`];
  });
};

/** The tool's own count of its runs. */
export const countFaults = async (
  client: Client,
  { tool }: Abilities,
  talks: readonly Talk[],
): Promise<string[]> => {
  if (tool === undefined) return [];
  const { runs, failures } = await runsSince(client, tool);
  return runs === talks.length && failures === 0
    ? []
    : [`${tool.name} counts ${runs} runs and ${failures} failures, for ${talks.length} talks`];
};

/** Each source of a transcript is found again, under its headings. */
export const passageFaults = ({ call, turns }: Talk, passages: ReadonlyMap<string, Passage>): string[] =>
  turns.flatMap(({ sources }) =>
    sources.flatMap(({ chunkId }) =>
      (passages.get(chunkId)?.headings.length ?? 0) > 0
        ? []
        : [`${call.toNumber}: a source of the answer is not found again with its headings`],
    ),
  );
