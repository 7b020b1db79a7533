// Asks agents-config whether an agent may take a call, and with which name and configuration.
import { type Overridable, type Result, serviceRequests } from '@parlance/contracts';
import { AppError, type Issue, validationError } from '@parlance/errors';
import type { Host } from '@parlance/service-host';

type AgentAnswer = Result<typeof serviceRequests.agentsForCall>;

export interface AgentOfCall {
  readonly agentName: string;
  readonly configVersion: number;
  readonly allowedOverrides: readonly Overridable[];
  /** The longest that a call may last, in seconds, as the configuration says; null when agents-config tells none. */
  readonly maxDurationSeconds: number | null;
}

const ready = ({ name, isActive, configVersion, allowedOverrides, ...rest }: AgentAnswer): AgentOfCall => {
  if (!isActive) throw new AppError('AGENT_INACTIVE');
  if (configVersion === null) throw new AppError('AGENT_NOT_CONFIGURED');
  return { agentName: name, configVersion, allowedOverrides, maxDurationSeconds: rest.maxDurationSeconds };
};

/** @throws AppError AGENT_NOT_FOUND, AGENT_INACTIVE, AGENT_NOT_CONFIGURED; SERVICE_UNAVAILABLE without an answer */
export const agentOfCall = async (
  { rpc, callerFor }: Pick<Host, 'rpc' | 'callerFor'>,
  asked: { readonly organizationId: string; readonly agentId: string; readonly requestId: string },
): Promise<AgentOfCall> => {
  const { organizationId, agentId, requestId } = asked;
  const caller = callerFor(organizationId);
  const { data } = await rpc.call(
    serviceRequests.agentsForCall,
    { body: { agentId } },
    { caller, requestId },
  );
  return ready(data);
};

/** @throws AppError VALIDATION_ERROR for fields of the request that the agent does not let it override */
export const refuseForbiddenOverrides = (
  body: { readonly firstMessage?: string | undefined; readonly systemPrompt?: string | undefined },
  { allowedOverrides }: AgentOfCall,
): void => {
  const issues = (['firstMessage', 'systemPrompt'] as const)
    .filter((name) => body[name] !== undefined && !allowedOverrides.includes(name))
    .map((name): Issue => ({ path: `body.${name}`, code: 'not_allowed', message: 'may not be overridden' }));
  if (issues.length > 0) throw validationError(issues);
};
