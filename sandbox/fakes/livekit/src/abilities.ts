// The abilities of a runtime while its call lasts, with the token of the call. It runs a tool of the agent, and
// searches the agent's knowledge. It tells the turns of the call, and uploads its recording.
import { createHash } from 'node:crypto';
import {
  type IngestInput,
  Passage,
  RecordingUpload,
  type RuntimeConfig,
  ToolResult,
} from '@parlance/contracts';
import { z } from 'zod';
import type { Recorded } from './recorder.js';

export interface Abilities {
  /** @throws Error when the platform does not answer, or refuses */
  runTool(name: string, toolArguments: Readonly<Record<string, unknown>>): Promise<ToolResult>;
  /** @throws Error when the platform does not answer, or refuses */
  searchKnowledge(query: string, limit?: number): Promise<Passage[]>;
  /** @throws Error when the platform does not answer, or refuses */
  tell(events: readonly object[]): Promise<void>;
  /**
   * Uploads the recording of the call; returns its description for the hand-over.
   * @throws Error when the platform or its storage does not answer, or refuses
   */
  upload(recorded: Recorded): Promise<NonNullable<IngestInput['recording']>>;
}

const Answer = z.object({ data: z.unknown() });
/** A tool may take sixty seconds, and the platform ends it then. */
const toolTimeoutMs = 65_000;
const searchTimeoutMs = 5_000;
const tellTimeoutMs = 5_000;
const uploadTimeoutMs = 60_000;
const contentType = 'audio/wav';

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
    upload: async ({ wave, durationSeconds, channels }) => {
      const about = { contentType, bytes: wave.length };
      const { uploadUrl, storageKey } = await ask('recording', about, tellTimeoutMs, RecordingUpload);
      const put = await fetch(uploadUrl, {
        ...{ method: 'PUT', body: wave, headers: { 'content-type': contentType } },
        signal: AbortSignal.timeout(uploadTimeoutMs),
      });
      if (!put.ok) throw new Error(`the storage refused the recording: ${put.status}`);
      const sha256 = createHash('sha256').update(wave).digest('hex');
      return { storageKey, durationSeconds, channels, sha256 };
    },
  };
};
