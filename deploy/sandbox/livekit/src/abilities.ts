// The abilities of a runtime while its call lasts, with the token of the call: it runs a tool of the agent, searches
// the agent's knowledge, and tells the turns of the call.
import { Passage, type RuntimeConfig, ToolResult } from '@parlance/contracts';
import { z } from 'zod';

export interface Abilities {
  /** @throws Error when the platform does not answer, or refuses */
  runTool(name: string, toolArguments: Readonly<Record<string, unknown>>): Promise<ToolResult>;
  /** @throws Error when the platform does not answer, or refuses */
  searchKnowledge(query: string, limit?: number): Promise<Passage[]>;
  /** @throws Error when the platform does not answer, or refuses */
  tell(events: readonly object[]): Promise<void>;
}

const Answer = z.object({ data: z.unknown() });
/** A tool may take sixty seconds, and the platform ends it then. */
const toolTimeoutMs = 65_000;
const searchTimeoutMs = 5_000;
const tellTimeoutMs = 5_000;

/** Undefined without a token: the call has ended, or belongs to another agent. */
export const abilitiesOf = (
  callId: string,
  { baseUrl, callToken }: RuntimeConfig['runtime'],
): Abilities | undefined => {
  if (callToken === null) return undefined;
  const ask = async <T extends z.ZodType>(
    path: string,
    body: object,
    timeoutMs: number,
    data: T,
  ): Promise<z.output<T>> => {
    const response = await fetch(`${baseUrl}/runtime/calls/${encodeURIComponent(callId)}/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${callToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) throw new Error(`${path} was refused: ${response.status} ${await response.text()}`);
    return data.parse(Answer.parse(await response.json()).data);
  };
  return {
    runTool: (name, toolArguments) =>
      ask(`tools/${encodeURIComponent(name)}`, { arguments: toolArguments }, toolTimeoutMs, ToolResult),
    searchKnowledge: (query, limit) =>
      ask('knowledge', { query, ...(limit && { limit }) }, searchTimeoutMs, z.array(Passage)),
    tell: async (events) => {
      await ask('events', { events }, tellTimeoutMs, z.unknown());
    },
  };
};
