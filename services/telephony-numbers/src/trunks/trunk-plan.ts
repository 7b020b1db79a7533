// Finds the right one among the media server's trunks for a provider, if there is one. Pure.
import type { OutboundTrunk } from '@parlance/media-rooms';
import type { Termination } from '@parlance/telephony';
import type { SipPlace } from './sip-place.js';
import type { TrunkRow } from './trunk-rows.js';

export const isAt = ({ address, transport }: SipPlace, trunk: OutboundTrunk): boolean =>
  trunk.address === address && trunk.transport === transport;

/** The media server still has the trunk on record, and the trunk is as it was written. */
export const isAsRecorded = (row: TrunkRow, seen: readonly OutboundTrunk[]): boolean => {
  const trunk = seen.find(({ trunkId }) => trunkId === row.trunk_id);
  return (
    trunk?.isIntact === true &&
    trunk.address === row.address &&
    trunk.transport === row.transport &&
    trunk.credential === row.credential
  );
};

/** A trunk that leads to the right place with credentials that the provider accepts; the one on record first. */
export const fittingTrunk = (
  seen: readonly OutboundTrunk[],
  place: SipPlace,
  { credentials }: Pick<Termination, 'credentials'>,
  recorded: string | null,
): OutboundTrunk | undefined => {
  const isAccepted = ({ credential, username }: OutboundTrunk): boolean =>
    credentials.some((known) => known.version === credential && known.username === username);
  const fitting = seen.filter((trunk) => trunk.isIntact && isAt(place, trunk) && isAccepted(trunk));
  return fitting.find(({ trunkId }) => trunkId === recorded) ?? fitting[0];
};
