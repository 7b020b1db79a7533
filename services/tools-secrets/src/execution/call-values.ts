// The values of a tool's placeholders. They come from the variables of the call, the assignments of earlier tools and the
// answer of the initiation webhook. They also come from the defaults of the agent, and the platform's facts about the call.
import {
  type CallLog,
  type CallOfValues,
  contract,
  type Result,
  serviceRequests,
  type Values,
  valuesOfCall,
  variablesOfCall,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Parts } from '../parts.js';
import type { ToolDocument } from '../tools/tool-record.js';
import { assignedInCall } from './runs-repository.js';

/** The call and the agent of an execution. A test of a tool has no call, and may have no agent. */
export interface Place {
  readonly organizationId: string;
  readonly callId: string | null;
  readonly agentId: string | null;
  readonly requestId: string;
}

type Asking = Pick<Parts, 'rpc' | 'callerFor' | 'db' | 'clock'>;
type Agent = Pick<Result<(typeof serviceRequests)['agentsPostCallWebhook']>, 'variables' | 'timezone'>;

const noAgent: Agent = { variables: {}, timezone: 'UTC' };
const variablePlaceholder = /\{\{\s*(?!\s*secrets\.)[A-Za-z_]/;

/** False for a tool that needs no variable: its execution asks no other service for values. */
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

/** Undefined for these errors, because they are expected: a preview is in no log, an agent may lack a configuration. */
const unless = <T>(codes: readonly string[], asked: Promise<T>): Promise<T | undefined> =>
  asked.catch((error: unknown) => {
    if (error instanceof AppError && codes.includes(error.code)) return undefined;
    throw error;
  });

/** The defaults of the agent, with the variables that the initiation webhook of the call answered. */
const agentOf = async (parts: Asking, place: Place, version: number | null): Promise<Agent> => {
  const { organizationId, agentId, callId, requestId } = place;
  if (agentId === null) return noAgent;
  const caller = parts.callerFor(organizationId);
  const asked = parts.rpc.call(
    serviceRequests.agentsPostCallWebhook,
    { body: { agentId, version, ...(callId === null ? {} : { callId }) } },
    { caller, requestId },
  );
  return (await unless(['CONFIG_NOT_FOUND'], asked))?.data ?? noAgent;
};

const logOf = async (
  parts: Asking,
  { organizationId, callId, requestId }: Place,
): Promise<CallLog | undefined> => {
  if (callId === null) return undefined;
  const caller = parts.callerFor(organizationId);
  const asked = parts.rpc.call(contract.callsGet, { params: { callId } }, { caller, requestId });
  return (await unless(['CALL_NOT_FOUND'], asked))?.data;
};

const secondsBetween = (from: string, to: Date): number =>
  Math.max(0, Math.round((to.getTime() - Date.parse(from)) / 1_000));

/**
 * The values of variables and `system.*` for an execution.
 * @throws AppError AGENT_NOT_FOUND; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while another service does not answer
 */
export const valuesFor = async (parts: Asking, place: Place): Promise<Values> => {
  const { organizationId, callId, agentId } = place;
  const [log, assigned] = await Promise.all([
    logOf(parts, place),
    callId === null ? {} : assignedInCall(parts.db, organizationId, callId),
  ]);
  const agent = await agentOf(
    parts,
    place,
    log === undefined || log.configVersion < 1 ? null : log.configVersion,
  );
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
