// The agent's tool: it asks a system of the practice, which runs beside the platform on this machine.
import { ApiError, type Client } from '@parlance/client';
import { patiently } from './patience.js';

/** The system of the practice. */
export interface Practice {
  readonly url: string;
  /** The credential of the practice, which the platform keeps as a secret. */
  readonly token: string;
}

type ToolRecord = Awaited<ReturnType<Client['tools']['list']>>['data'][number];
export type TourTool = Pick<ToolRecord, 'id' | 'name' | 'stats24h'>;

const name = 'find_appointment';
const secretName = 'PRACTICE_TOKEN';

const toolAt = (url: string) => ({
  name,
  description: 'Tells how the appointment of a patient stands.',
  request: {
    method: 'GET' as const,
    url: `${url}/appointments`,
    headers: { Authorization: `Bearer {{secrets.${secretName}}}`, 'X-Call-Id': '{{system.callId}}' },
  },
  parameters: [
    {
      ...{ name: 'name', in: 'query' as const, type: 'string' as const, source: 'model' as const },
      ...{ description: 'The name of the patient', required: true, sensitive: true },
    },
    {
      ...{ name: 'doctor', in: 'query' as const, type: 'string' as const, source: 'model' as const },
      ...{ description: 'The doctor of the appointment', required: true },
    },
  ],
});

/** Does the work once more when another tour, started at the same moment, was the first to make something of this name. */
const onceMoreIfTaken = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NAME_TAKEN') return work();
    throw error;
  }
};

/** An earlier tour has left its secret, and the value may be another one now. */
const keepSecret = async (client: Client, value: string): Promise<void> => {
  const { data: secrets } = await patiently(() => client.secrets.list());
  const known = secrets.find((secret) => secret.name === secretName);
  if (known === undefined) await client.secrets.create({ body: { name: secretName, value } });
  else await client.secrets.rotate({ params: { secretId: known.id }, body: { value } });
};

const findTool = async (client: Client): Promise<ToolRecord | undefined> =>
  (await patiently(() => client.tools.list())).data.find((tool) => tool.name === name);

const keepTool = async (client: Client, practice: Practice): Promise<ToolRecord> => {
  const body = toolAt(practice.url);
  const known = await findTool(client);
  if (known === undefined) return (await client.tools.create({ body })).data;
  const { data: tool } = await client.tools.update({ params: { toolId: known.id }, body });
  return { ...tool, stats24h: known.stats24h };
};

/** Makes the tool, or takes the one of another tour, and gives it to the agent. */
export const giveTool = async (client: Client, agentId: string, practice: Practice): Promise<TourTool> => {
  await onceMoreIfTaken(() => keepSecret(client, practice.token));
  const { id, stats24h } = await onceMoreIfTaken(() => keepTool(client, practice));
  await client.tools.attach({ params: { toolId: id, agentId } });
  return { id, name, stats24h };
};

/** Runs and failures of the tool since it was given to the agent. */
export const runsSince = async (
  client: Client,
  before: TourTool,
): Promise<{ readonly runs: number; readonly failures: number; readonly p95Ms: number | null }> => {
  const now = (await findTool(client))?.stats24h ?? { runs: 0, failures: 0, p95Ms: null };
  return {
    runs: now.runs - before.stats24h.runs,
    failures: now.failures - before.stats24h.failures,
    p95Ms: now.p95Ms,
  };
};
