// Whether a campaign calls from a number that is to be released. The gateway requests it of the dialer, and this service does for a
// gateway of 0.2.0.
import { serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Host } from '@parlance/service-host';

/** @returns the id of a campaign that has not ended, also of one that is being created */
export type CampaignFrom = (
  organizationId: string,
  phoneNumber: string,
  requestId: string,
) => Promise<string | null>;

/** Shorter than a reader of the locked number may wait. */
const patienceMs = 2_500;

/**
 * Fails closed: a number is never given back for lack of an answer.
 * @throws AppError SERVICE_UNAVAILABLE when the dialer does not answer, or not in time
 */
export const campaignFromOver =
  ({ rpc, callerFor }: Pick<Host, 'rpc' | 'callerFor'>): CampaignFrom =>
  async (organizationId, phoneNumber, requestId) => {
    const context = {
      caller: callerFor(organizationId),
      requestId,
      deadline: Date.now() + patienceMs,
    };
    try {
      const { data } = await rpc.call(
        serviceRequests.outboundCallsCampaignFrom,
        { body: { phoneNumber } },
        context,
      );
      return data.campaignId;
    } catch (cause) {
      // Nothing was done yet, even if the question reached the dialer.
      throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2, cause });
    }
  };
