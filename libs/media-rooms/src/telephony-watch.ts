// Checks whether the media server can call telephones at all. LiveKit tells neither its version nor its SIP services
// over HTTP, so two requests without any effect find out. One changes a trunk that does not exist. The other dials an
// address that no SIP service can read: a SIP service refuses that dial before it joins a room.
import { SIPOutboundConfig } from '@livekit/protocol';
import { type Logger, type RunningPart, startRounds } from '@parlance/observability';
import { ServerError, type SipClient } from 'livekit-server-sdk';
import { livekitClients, type MediaRoomsEnv } from './livekit-rooms.js';
import { notDialled } from './not-dialled.js';

const troubles = {
  too_old: {
    reason: 'the media server is too old to call telephones',
    advice: 'LiveKit does not know the methods that the platform needs: install livekit-server 1.9 or later',
  },
  no_sip_service: {
    reason: 'no SIP service takes calls',
    advice:
      'no SIP service answers LiveKit: start livekit-sip with the Redis and the API key of livekit-server',
  },
  sip_overloaded: {
    reason: 'the SIP service has no room for more calls',
    advice: 'the SIP service refuses calls: give it more processors or ports, or start another one beside it',
  },
} as const;
export type TelephonyTrouble = keyof typeof troubles;

type Clients = Pick<SipClient, 'createSipParticipant' | 'updateSipOutboundTrunkFields'>;

const errorOf = async (request: Promise<unknown>): Promise<ServerError | undefined> => {
  try {
    await request;
    return undefined;
  } catch (error) {
    if (error instanceof ServerError) return error;
    throw error;
  }
};

const isUnknownMethod = (error: ServerError | undefined): boolean =>
  error?.code === 'bad_route' || error?.code === 'unimplemented';

/** A host of the top-level domain that never exists (RFC 2606), with a port that is no number. */
const nowhere = new SIPOutboundConfig({ hostname: 'parlance.invalid:none' });

/** Undefined when telephones can be called. @throws where the server does not answer: it has a check of its own */
export const findTelephonyTrouble = async (sip: Clients): Promise<TelephonyTrouble | undefined> => {
  const change = sip.updateSipOutboundTrunkFields('ST_parlance_probe', { name: 'probe' });
  if (isUnknownMethod(await errorOf(change))) return 'too_old';
  const dial = sip.createSipParticipant('', 'probe', 'parlance-probe', { fromNumber: 'probe' }, nowhere);
  const error = await errorOf(dial);
  const found = error && notDialled(error)?.providerCode;
  return found === 'no_sip_service' || found === 'sip_overloaded' ? found : undefined;
};

/** The same, of the server that the variables name. */
export const telephonyTrouble = (env: MediaRoomsEnv): Promise<TelephonyTrouble | undefined> =>
  findTelephonyTrouble(livekitClients(env).sip);

export interface TelephonyWatchOptions {
  readonly logger: Logger;
  /** Fifteen seconds unless said. */
  readonly everyMs?: number;
}

/** Looks until it is stopped. A trouble shows in `/ready`, and in one line of the log when it begins. */
export const startTelephonyWatch = (
  env: MediaRoomsEnv,
  { logger, everyMs = 15_000 }: TelephonyWatchOptions,
): RunningPart => {
  const { sip } = livekitClients(env);
  let known: TelephonyTrouble | undefined;
  const rounds = startRounds({
    name: 'telephones',
    everyMs,
    logger,
    round: async () => {
      // A server that does not answer has a check of its own.
      const found = await findTelephonyTrouble(sip).catch(() => known);
      if (found !== undefined && found !== known) logger.error({ trouble: found }, troubles[found].advice);
      if (found === undefined && known !== undefined) logger.info('telephones can be called again');
      known = found;
    },
  });
  return { ...rounds, trouble: () => (known === undefined ? undefined : troubles[known].reason) };
};
