// Asks the language model that an agent's configuration names, or one of its fall-backs.
import {
  endpointsFor,
  type KeySource,
  type ModelGuards,
  type ModelsFile,
  type OrganizationModels,
} from '@parlance/models';
import { type ChatDeadlines, chat, EndpointBreakers } from '@parlance/models/chat';
import type { AskModel } from './model-analyst.js';

export interface AskModelOptions {
  /** Where the keys of vendors are. */
  readonly env: KeySource;
  readonly file: ModelsFile;
  readonly egress: ModelGuards;
  /** The organization's own model of this id, and what it falls back to. */
  readonly modelsOf: (organizationId: string, model: string) => Promise<OrganizationModels | undefined>;
}

/** Nobody waits on the telephone for an analysis, so that a slow model gets more time than in a call. */
const deadlines: ChatDeadlines = { firstChunkMs: 10_000, betweenChunksMs: 5_000, overallMs: 30_000 };
const maxOutputTokens = 8_000;

export const askModel = ({ env, file, egress, modelsOf }: AskModelOptions): AskModel => {
  const breakers = new EndpointBreakers();
  return async ({ organizationId, model, system, user, signal }) => {
    const own = await modelsOf(organizationId, model);
    const { endpoints } = endpointsFor('llm', model, env, file, own);
    let answering = endpoints[0]?.id;
    if (answering === undefined) return undefined;
    let text = '';
    const messages = [
      { role: 'system' as const, content: system },
      { role: 'user' as const, content: user },
    ];
    const request = { messages, maxOutputTokens, signal };
    for await (const event of chat(request, endpoints, { egress, breakers, deadlines })) {
      if (event.type === 'text') text += event.delta;
      if (event.type === 'fellBack') answering = event.to;
      if (event.type === 'error') throw new Error(`the language model failed: ${event.reason}`);
    }
    return { text, model: answering };
  };
};
