// Webhooks of the media server: believed only when the signature and the hash of the very bytes verify.

import { DisconnectReason, ParticipantInfo_Kind } from '@livekit/protocol';
import { RoomEvent } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type WebhookEvent, WebhookReceiver } from 'livekit-server-sdk';

/** Older or newer than this is a replay or a clock gone wrong. */
const toleranceMs = 5 * 60_000;

type ParticipantOf = NonNullable<WebhookEvent['participant']>;

const kinds: Partial<Record<ParticipantInfo_Kind, NonNullable<RoomEvent['participant']>['kind']>> = {
  [ParticipantInfo_Kind.STANDARD]: 'standard',
  [ParticipantInfo_Kind.INGRESS]: 'ingress',
  [ParticipantInfo_Kind.EGRESS]: 'egress',
  [ParticipantInfo_Kind.SIP]: 'sip',
  [ParticipantInfo_Kind.AGENT]: 'agent',
};

export const participantKind = (kind: ParticipantInfo_Kind): NonNullable<RoomEvent['participant']>['kind'] =>
  kinds[kind] ?? 'other';

const participantOf = (participant: ParticipantOf): NonNullable<RoomEvent['participant']> => ({
  identity: participant.identity,
  kind: participantKind(participant.kind),
  attributes: participant.attributes,
  disconnectReason:
    participant.disconnectReason === DisconnectReason.UNKNOWN_REASON
      ? null
      : // A reason of a newer protocol has no name here.
        (DisconnectReason[participant.disconnectReason] ?? null),
});

const toRoomEvent = (event: WebhookEvent): RoomEvent =>
  RoomEvent.parse({
    id: event.id,
    type: event.event,
    at: new Date(Number(event.createdAt) * 1_000).toISOString(),
    room: { name: event.room?.name ?? '', sid: event.room?.sid ?? '', metadata: event.room?.metadata ?? '' },
    ...(event.participant ? { participant: participantOf(event.participant) } : {}),
  });

/**
 * Returns a function that turns raw bytes and the Authorization header into an event.
 * It throws AppError INVALID_SIGNATURE for anything that the media server did not sign just now.
 */
export const createWebhookVerifier = (
  apiKey: string,
  apiSecret: string,
  now: () => Date = () => new Date(),
): ((body: Buffer, authorization: string | undefined) => Promise<RoomEvent>) => {
  const receiver = new WebhookReceiver(apiKey, apiSecret);
  return async (body, authorization) => {
    if (!authorization) throw new AppError('INVALID_SIGNATURE');
    let event: WebhookEvent;
    try {
      event = await receiver.receive(body.toString('utf8'), authorization);
    } catch (cause) {
      throw new AppError('INVALID_SIGNATURE', { cause });
    }
    if (Math.abs(now().getTime() - Number(event.createdAt) * 1_000) > toleranceMs)
      throw new AppError('INVALID_SIGNATURE');
    return toRoomEvent(event);
  };
};
