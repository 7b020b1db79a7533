// The limits that the operator sets for an organization. The dialer holds them and enforces them against any settings
// stored here.
import { isDeepStrictEqual } from 'node:util';
import { type OperatorLimits, type SettingsFacts, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Parts } from '../parts.js';
import type { StoredSettings } from './settings.js';

const isOtherCallLimit = (before: StoredSettings, after: StoredSettings): boolean =>
  after.maxConcurrentCalls !== before.maxConcurrentCalls;

const isOtherCountries = (before: StoredSettings, after: StoredSettings): boolean =>
  after.allowedCountries !== null && !isDeepStrictEqual(after.allowedCountries, before.allowedCountries);

/** Milliseconds to wait for the dialer; a caller that changes settings waits longer than this for its answer. */
const patienceMs = 2_000;

/** True for a change of a setting that the operator limits. */
export const isBounded = (before: StoredSettings, after: StoredSettings): boolean =>
  isOtherCallLimit(before, after) || isOtherCountries(before, after);

/** For a gateway of 0.2.0. A gateway of this release sends the limits along. */
const requestedLimits = async (
  { rpc, callerFor }: Pick<Parts, 'rpc' | 'callerFor'>,
  organizationId: string,
  requestId: string,
): Promise<OperatorLimits> => {
  const caller = callerFor(organizationId);
  const context = { caller, requestId, deadline: Date.now() + patienceMs };
  try {
    return (await rpc.call(serviceRequests.limitsOf, { body: {} }, context)).data;
  } catch (cause) {
    // Nothing was changed, even if the question reached the dialer.
    throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2, cause });
  }
};

/** @throws AppError SERVICE_UNAVAILABLE when the dialer does not answer */
export const operatorLimits = async (
  parts: Pick<Parts, 'rpc' | 'callerFor'>,
  facts: SettingsFacts | undefined,
  { organizationId, requestId }: { readonly organizationId: string; readonly requestId: string },
): Promise<OperatorLimits> => {
  if (facts === undefined) return requestedLimits(parts, organizationId, requestId);
  if (facts.limits === null) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2 });
  return facts.limits;
};

/**
 * Refuses a change beyond the limits of the operator. A value from before the operator lowered a limit may stay.
 * @param limits undefined: not asked for, because the change touched nothing limited
 * @throws AppError LIMIT_TOO_HIGH; CONFLICT when the settings changed after the decision not to ask
 */
export const refuseBeyond = (
  limits: OperatorLimits | undefined,
  before: StoredSettings,
  after: StoredSettings,
): void => {
  if (!isBounded(before, after)) return;
  if (limits === undefined) throw new AppError('CONFLICT');
  const { concurrentCalls, countries } = limits;
  if (
    isOtherCallLimit(before, after) &&
    concurrentCalls !== null &&
    after.maxConcurrentCalls > concurrentCalls
  )
    throw new AppError('LIMIT_TOO_HIGH', { details: { limit: 'concurrentCalls', allowed: concurrentCalls } });
  const isBeyond = after.allowedCountries?.some((country) => countries?.includes(country) === false);
  if (isOtherCountries(before, after) && isBeyond === true)
    throw new AppError('LIMIT_TOO_HIGH', { details: { limit: 'countries', allowed: countries } });
};
