// The end of a call, from LiveKit's reasons for the end of a participation.
import { DisconnectReason } from '@livekit/protocol';

/** Values of `endedReason` in a call that is handed over. */
export type Ending = 'user_hangup' | 'operator_ended' | 'room_lost' | 'media_failure';

const { CLIENT_INITIATED, ROOM_DELETED, PARTICIPANT_REMOVED, ROOM_CLOSED, UNKNOWN_REASON } = DisconnectReason;
const { USER_REJECTED, USER_UNAVAILABLE } = DisconnectReason;

/** The telephone left the room, and the runtime is still in it. */
export const endingOfPhone = (reason: DisconnectReason | undefined): Ending => {
  switch (reason) {
    case ROOM_DELETED:
    case PARTICIPANT_REMOVED:
      return 'operator_ended';
    case undefined:
    case UNKNOWN_REASON:
    case CLIENT_INITIATED:
    case USER_REJECTED:
    case USER_UNAVAILABLE:
      return 'user_hangup';
    default:
      return 'media_failure';
  }
};

/** The runtime was put out of the room, or lost it. */
export const endingOfRoom = (reason: DisconnectReason | undefined): Ending => {
  switch (reason) {
    case ROOM_DELETED:
    case PARTICIPANT_REMOVED:
      return 'operator_ended';
    case ROOM_CLOSED:
      return 'user_hangup';
    default:
      return 'room_lost';
  }
};
