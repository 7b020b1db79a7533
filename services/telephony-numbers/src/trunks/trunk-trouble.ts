// The trouble of a trunk that is not in order. It is a sentence for GET /ready, and a line for the log with the remedy.
import type { Provider } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { ProviderFailure } from '@parlance/telephony';

export interface TrunkTrouble {
  /** For GET /ready, which is public. */
  readonly trouble: string;
  /** For the log. */
  readonly advice: string;
  /** A person has to do something, so that trying again soon is no use. */
  readonly isForPeople: boolean;
}

/** Statuses that forbid the request to the account; with any other status a later request may succeed. */
const forbidden: readonly (number | undefined)[] = [401, 402, 403, 404];

const adviceAt = {
  TWILIO:
    'Twilio refuses SIP trunking: open Elastic SIP Trunking in the console of this account, or set SIP_OUTBOUND_TRUNK_ID',
  TELNYX:
    'Telnyx refuses SIP connections: verify the account in its portal (level 2), or set SIP_OUTBOUND_TRUNK_ID',
} as const;

/** Undefined for an error that is neither the provider's nor the media server's. */
export const troubleOf = (provider: Provider, error: unknown): TrunkTrouble | undefined => {
  if (!(error instanceof AppError)) return undefined;
  if (!(error instanceof ProviderFailure) && error.code !== 'PROVIDER_UNAVAILABLE') return undefined;
  if (!(error instanceof ProviderFailure))
    return {
      trouble: `calls through ${provider}: the trunk at the media server cannot be made or checked`,
      advice:
        'a trunk at the media server cannot be made or checked: see whether LiveKit has its Redis and SIP',
      isForPeople: false,
    };
  if (error.isCertain && forbidden.includes(error.answeredWith))
    return {
      trouble: `calls through ${provider}: the account may not use SIP trunking`,
      advice: adviceAt[provider],
      isForPeople: true,
    };
  return {
    trouble: `calls through ${provider}: its side of the trunk cannot be made or checked`,
    advice: 'the provider side of a trunk cannot be made or checked; it is tried again',
    isForPeople: false,
  };
};
