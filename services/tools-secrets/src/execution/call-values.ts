// The values of a tool's placeholders. They come from the variables of the call, the assignments of earlier tools and the
// answer of the initiation webhook. They also come from the defaults of the agent, and the platform's facts about the call.
import {
  type CallOfValues,
  type ToolValues,
  type Values,
  valuesOfCall,
  variablesOfCall,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Parts } from '../parts.js';
import type { ToolDocument } from '../tools/tool-record.js';
import type { Place } from './place.js';
import { requestedValues } from './requested-values.js';
import { assignedInCall } from './runs-repository.js';

type Asking = Pick<Parts, 'rpc' | 'callerFor' | 'db' | 'clock'>;

const variablePlaceholder = /\{\{\s*(?!\s*secrets\.)[A-Za-z_]/;

/** False for a tool that needs no variable: its execution needs no facts of other services. */
export const needsValues = ({ request, parameters }: ToolDocument): boolean =>
  variablePlaceholder.test(
    JSON.stringify([
      request.url,
      request.headers,
      request.bodyTemplate,
      parameters.map(({ value }) => value),
    ]),
  ) ||
  Object.values(request.headers).some(
    (value) => typeof value === 'object' && 'sealed' in value && value.isTemplate,
  );

const secondsBetween = (from: string, to: Date): number =>
  Math.max(0, Math.round((to.getTime() - Date.parse(from)) / 1_000));

const composed = async (parts: Asking, place: Place): Promise<ToolValues> => {
  if (place.values === undefined) return requestedValues(parts, place);
  if (place.values === null) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2 });
  return place.values;
};

/**
 * The values of variables and `system.*` for an execution.
 * @throws AppError SERVICE_UNAVAILABLE while the gateway cannot read them; for a gateway of 0.2.0 AGENT_NOT_FOUND and
 *   UPSTREAM_TIMEOUT, too
 */
export const valuesFor = async (parts: Asking, place: Place): Promise<Values> => {
  const { organizationId, callId, agentId } = place;
  const [{ call: log, agent }, assigned] = await Promise.all([
    composed(parts, place),
    callId === null ? {} : assignedInCall(parts.db, organizationId, callId),
  ]);
  const now = parts.clock.now();
  const call: CallOfValues = {
    agentId: agentId ?? '',
    callId,
    campaignId: log?.campaignId ?? null,
    direction: log?.direction ?? null,
    callerNumber: log?.fromNumber ?? null,
    calledNumber: log?.toNumber ?? null,
    startedAt: log?.startedAt ?? null,
    durationSeconds: log?.answeredAt == null ? null : secondsBetween(log.answeredAt, now),
    dynamicVariables: variablesOfCall({ given: log?.dynamicVariables ?? {}, initiation: {}, assigned }),
    defaults: agent.variables,
    timezone: agent.timezone,
  };
  return valuesOfCall(call, now);
};
