// The talks of calls: their turns, the runs of tools that the platform recorded, and the places in documents.
import type { Client } from '@parlance/client';
import { patiently, settled } from './patience.js';
import type { CallLog } from './results.js';

export type Turn = Awaited<ReturnType<Client['calls']['transcripts']>>['data'][number];
export type Passage = Awaited<ReturnType<Client['knowledge']['search']>>['data'][number];
export type RunOfTool = NonNullable<CallLog['toolRuns']>[number];

export interface Talk {
  readonly call: CallLog;
  readonly turns: readonly Turn[];
  /** The runs as the platform recorded them, with sensitive arguments as `•••`. */
  readonly runs: readonly RunOfTool[];
}

const turnsOf = async (client: Client, callId: string): Promise<readonly Turn[]> =>
  (await patiently(() => client.calls.transcripts({ params: { callId }, query: { limit: '100' } }))).data;

const runsOf = async (client: Client, callId: string): Promise<readonly RunOfTool[]> =>
  (await patiently(() => client.calls.get({ params: { callId } }))).data.toolRuns ?? [];

const toolTurns = (turns: readonly Turn[]): number => turns.filter(({ role }) => role === 'tool').length;

/** A run is announced to the log of calls, which follows within a second. */
export const readTalk = async (client: Client, call: CallLog): Promise<Talk> => {
  const turns = await turnsOf(client, call.id);
  const runs = await settled(
    () => runsOf(client, call.id),
    (found) => found.length >= toolTurns(turns),
  );
  return { call, turns, runs };
};

export const readTalks = async (client: Client, calls: readonly CallLog[]): Promise<readonly Talk[]> => {
  const talks: Talk[] = [];
  for (const call of calls) talks.push(await readTalk(client, call));
  return talks;
};

/** The call in which most was said; undefined when there was none. */
export const longestOf = (log: readonly CallLog[]): CallLog | undefined =>
  [...log].sort((a, b) => b.messageCount - a.messageCount)[0];

const mostPassages = 20;

/** The longest question that a search takes. */
const longestQuery = 1_000;

/**
 * The passages that the agent's answers come from, by the ids of their chunks: each question is asked once more. The
 * answer is part of the question, because a telephone on the wire presses keys and asks no question.
 */
export const passagesOf = async (
  client: Client,
  agentId: string,
  { turns }: Talk,
): Promise<ReadonlyMap<string, Passage>> => {
  const found = new Map<string, Passage>();
  let question = '';
  for (const { role, text, sources } of turns) {
    if (role === 'user') question = text;
    if (sources.length === 0) continue;
    const query = `${question} ${text}`.slice(0, longestQuery);
    const body = { agentId, query, limit: mostPassages };
    const { data: passages } = await patiently(() => client.knowledge.search({ body }));
    for (const passage of passages) found.set(passage.chunkId, passage);
  }
  return found;
};
