// Builds a campaign from the request and from the facts known at its creation.
import type { contract, Input } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { storageOf } from '@parlance/object-storage';
import { type NotedNumber, noteNumber } from '../campaigns/campaign-numbers.js';
import type { CampaignCommand } from '../domain/campaign/campaign.js';
import { findUpload } from '../import/uploads.js';
import { type AgentOfCall, agentOfCall } from '../integration/agent-of-call.js';
import { checkStart } from '../rules/campaign-start.js';
import { longestSeconds } from '../rules/worst-case.js';
import type { CampaignParts } from './campaign-parts.js';

type Body = Input<typeof contract.outboundCallsCreateBatch>['body'];
type CreateCampaign = Extract<CampaignCommand, { type: 'CreateCampaign' }>;

/** The request for a campaign: its ids, its sender and its time. */
export interface Asked {
  readonly id: string;
  readonly organizationId: string;
  readonly requestId: string;
  readonly createdBy: string;
  readonly createdAt: string;
}

const defaultRingingTimeoutSeconds = 30;
const defaultCallsPerSecond = 1;
const defaultRetryPolicy = { maxAttempts: 1, delaySeconds: 300, on: ['busy', 'no_answer'] } as const;
const defaultCircuitBreaker = { enabled: true, failureThreshold: 0.5, windowSeconds: 120, minCalls: 5 };

const agentPart = (agentId: string, { agentName, configVersion, allowedOverrides }: AgentOfCall) => ({
  ...{ agentId, agentName, configVersion },
  allowedOverrides: [...allowedOverrides],
});

type Rules = Pick<Body, 'duplicates' | 'retryPolicy' | 'callsPerSecond' | 'maxConcurrency'>;

/** Rules that also hold for the preview of a campaign's file. */
export const sharedRulesOf = (body: Rules) => ({
  callsPerSecond: body.callsPerSecond ?? defaultCallsPerSecond,
  maxConcurrency: body.maxConcurrency ?? null,
  retryPolicy: body.retryPolicy ?? { ...defaultRetryPolicy, on: [...defaultRetryPolicy.on] },
  duplicates: body.duplicates ?? 'first',
});

const rulesOf = (body: Body) => ({
  ...sharedRulesOf(body),
  scheduledAt: body.scheduledAt == null ? null : new Date(body.scheduledAt).toISOString(),
  ringingTimeoutSeconds: body.ringingTimeoutSeconds ?? defaultRingingTimeoutSeconds,
  callingWindow: body.callingWindow ?? null,
  circuitBreaker: body.circuitBreaker ?? defaultCircuitBreaker,
  budget: body.budget ?? null,
  ...(body.columns === undefined ? {} : { columns: body.columns }),
});

/** @throws AppError NUMBER_NOT_FOUND */
const takeNumber = async ({ db, clock, askNumbers }: CampaignParts, wanted: NotedNumber) => {
  await noteNumber(db, wanted, clock.now());
  const { number } = await askNumbers(wanted.organizationId, wanted.phoneNumber);
  if (number === null) throw new AppError('NUMBER_NOT_FOUND');
  return number;
};

/** @throws AppError for an agent, a number or a file that a campaign cannot be made of; nothing was done then */
export const createCampaign = async (
  parts: CampaignParts,
  body: Body,
  { id, organizationId, requestId, createdBy, createdAt }: Asked,
): Promise<CreateCampaign> => {
  const { agentId, fromNumber, sourceFileKey: key } = body;
  checkStart(body.scheduledAt, createdAt);
  const storage = storageOf(parts.storage);
  const agent = await agentOfCall(parts, { organizationId, agentId, requestId });
  const limits = { maxBytes: parts.maxFileBytes, now: new Date(createdAt) };
  const file = await findUpload(storage, { organizationId, key }, limits);
  const timezone = body.timezone ?? (await parts.askSettings(organizationId)).timezone;
  // Last, because from here on the number cannot be given back.
  const number = await takeNumber(parts, { campaignId: id, organizationId, phoneNumber: fromNumber });
  return {
    type: 'CreateCampaign',
    created: {
      organizationId,
      name: body.name,
      ...agentPart(agentId, agent),
      longestSeconds: longestSeconds(agent.maxDurationSeconds, parts.maxCallSeconds),
      provider: number.provider,
      sid: number.providerNumberId,
      sourceFileKey: key,
      sourceFileName: body.sourceFileName,
      fileBytes: file.bytes,
      timezone,
      ...rulesOf(body),
      ...{ createdBy, createdAt },
    },
    personal: { fromNumber },
  };
};
