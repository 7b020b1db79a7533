// What uses the models of an organization: configurations in force, and models that fall back to others.
import type { OrganizationModel } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Tx } from '@parlance/postgres';
import { idOf, type ModelRow } from './model-record.js';
import { allModels } from './models-repository.js';

interface AgentModels {
  readonly id: string;
  readonly name: string;
  readonly models: readonly string[];
  readonly voice_id: string;
}

/** The agents of the organization whose configuration in force names a custom model, with what it names. */
const agentsWithCustomModels = async (tx: Tx, organizationId: string): Promise<AgentModels[]> => {
  const { rows } = await tx.query<AgentModels>({
    name: 'agents_with_custom_models',
    text: `select id, name, array[stt, llm, tts] as models, voice_id from (
             select a.id, a.name, c.document->>'sttModel' as stt, c.document->>'llmModel' as llm,
               c.document->>'ttsModel' as tts, c.document->>'voiceId' as voice_id
             from agents a join agent_configurations c on c.agent_id = a.id and c.version = a.config_version
             where a.organization_id = $1) named
           where 'custom/' in (left(stt, 7), left(llm, 7), left(tts, 7)) order by name, id`,
    values: [organizationId],
  });
  return rows;
};

/** Finds the agents of each model. */
export const usersOfModels = async (
  tx: Tx,
  organizationId: string,
): Promise<(row: ModelRow) => OrganizationModel['usedBy']> => {
  const agents = await agentsWithCustomModels(tx, organizationId);
  return (row) =>
    agents.filter(({ models }) => models.includes(idOf(row))).map(({ id, name }) => ({ id, name }));
};

/** @throws AppError MODEL_IN_USE with the agents, and the models that fall back to it */
export const refuseWhileUsed = async (tx: Tx, row: ModelRow): Promise<void> => {
  const { organization_id: organizationId } = row;
  const agents = (await usersOfModels(tx, organizationId))(row);
  const others = await allModels(tx, organizationId);
  const models = others.filter(({ document }) => document.fallbacks.includes(idOf(row))).map(idOf);
  if (agents.length + models.length > 0) throw new AppError('MODEL_IN_USE', { details: { agents, models } });
};

/** @throws AppError MODEL_IN_USE with the agents that have a voice which the model loses */
export const refuseLosingVoices = async (
  tx: Tx,
  row: ModelRow,
  voices: ModelRow['document']['voices'],
): Promise<void> => {
  const kept = new Set(voices.map(({ id }) => id));
  const lost = row.document.voices.filter(({ id }) => !kept.has(id)).map(({ id }) => `${idOf(row)}/${id}`);
  if (lost.length === 0) return;
  const users = (await agentsWithCustomModels(tx, row.organization_id)).filter((agent) =>
    lost.includes(agent.voice_id),
  );
  if (users.length === 0) return;
  const agents = users.map(({ id, name }) => ({ id, name }));
  const inUse = new Set(users.map(({ voice_id }) => voice_id));
  throw new AppError('MODEL_IN_USE', { details: { agents, voices: [...inUse] } });
};
