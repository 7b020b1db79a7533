// Calls to the platform's numbers: for each number a trunk that lets them in, and a rule that names the room.
import { ListUpdate, type SIPInboundTrunkInfo } from '@livekit/protocol';
import { type RoomAgentDispatch, RoomConfiguration, type SipClient } from 'livekit-server-sdk';
import { guarded, isNotFound } from './guarded.js';
import type { InboundRoute, MediaRooms, RoutedNumber } from './media-rooms.js';

const roomPrefix = 'in';

/**
 * Two processes may make the same route at the same time. The server refuses the second, which then finds the first
 * one's.
 */
const madeOrFound = async <T>(find: () => Promise<T | undefined>, make: () => Promise<T>): Promise<T> => {
  const found = await guarded(find());
  if (found !== undefined) return found;
  try {
    return await make();
  } catch (error) {
    const theirs = await guarded(find());
    if (theirs !== undefined) return theirs;
    return guarded(Promise.reject(error));
  }
};

type Rules = Pick<InboundRoute, 'allowedAddresses' | 'credentials'>;

/** Lists of addresses are sets: their order means nothing. */
const sameAddresses = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && new Set([...some, ...others]).size === some.length;

/** The fields of a trunk, where empty texts stand for none. */
const authOf = ({ credentials }: Rules): { authUsername: string; authPassword: string } => ({
  authUsername: credentials?.username ?? '',
  authPassword: credentials?.password.reveal() ?? '',
});

const routedBy = ({ allowedAddresses, authUsername, authPassword }: SIPInboundTrunkInfo): RoutedNumber => ({
  allowedAddresses,
  hasCredentials: authUsername !== '' && authPassword !== '',
  accepts: (rules) => {
    const auth = authOf(rules);
    return (
      sameAddresses(allowedAddresses, rules.allowedAddresses) &&
      authUsername === auth.authUsername &&
      authPassword === auth.authPassword
    );
  },
});

const deleted = async (work: Promise<unknown>): Promise<void> => {
  try {
    await guarded(work);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
};

/** @param agent sends the voice runtime into a room, without saying which call it is: the number says that */
export const inboundRoutes = (
  sip: SipClient,
  agent: () => RoomAgentDispatch,
): Pick<MediaRooms, 'routeInbound' | 'unrouteInbound' | 'routedNumbers'> => {
  /** A trunk for every number is listed too, and is not meant. */
  const trunkOf = async (phoneNumber: string) =>
    (await sip.listSipInboundTrunk({ numbers: [phoneNumber] })).find(({ numbers }) =>
      numbers.includes(phoneNumber),
    );
  const ruleOf = async (trunkId: string) =>
    (await sip.listSipDispatchRule({ trunkIds: [trunkId] })).find(({ trunkIds }) =>
      trunkIds.includes(trunkId),
    );

  /** A trunk that was made before, or that somebody changed, may let others in. */
  const restrict = async (trunk: SIPInboundTrunkInfo, rules: Rules): Promise<void> => {
    if (routedBy(trunk).accepts(rules)) return;
    const allowedAddresses = new ListUpdate({ set: [...rules.allowedAddresses] });
    await guarded(sip.updateSipInboundTrunkFields(trunk.sipTrunkId, { ...authOf(rules), allowedAddresses }));
  };

  return {
    routeInbound: async ({ phoneNumber, name, ...rules }) => {
      const allowedAddresses = [...rules.allowedAddresses];
      const trunk = await madeOrFound(
        () => trunkOf(phoneNumber),
        () => sip.createSipInboundTrunk(name, [phoneNumber], { ...authOf(rules), allowedAddresses }),
      );
      // Before the rule: without one the trunk lets nobody in.
      await restrict(trunk, rules);
      const { sipTrunkId } = trunk;
      await madeOrFound(
        () => ruleOf(sipTrunkId),
        () =>
          sip.createSipDispatchRule(
            // Named by the called number, which is the platform's: a name lies in events that are never changed.
            { type: 'callee', roomPrefix, randomize: true },
            { name, trunkIds: [sipTrunkId], roomConfig: new RoomConfiguration({ agents: [agent()] }) },
          ),
      );
    },
    routedNumbers: async () => {
      const [trunks, rules] = await guarded(
        Promise.all([sip.listSipInboundTrunk(), sip.listSipDispatchRule()]),
      );
      const ruled = new Set(rules.flatMap(({ trunkIds }) => trunkIds));
      return new Map(
        trunks
          .filter(({ sipTrunkId }) => ruled.has(sipTrunkId))
          .flatMap((trunk) => trunk.numbers.map((number) => [number, routedBy(trunk)] as const)),
      );
    },
    unrouteInbound: async (phoneNumber) => {
      const trunk = await guarded(trunkOf(phoneNumber));
      if (trunk === undefined) return;
      const rule = await guarded(ruleOf(trunk.sipTrunkId));
      // The rule first: without its trunk it would be found no more.
      if (rule !== undefined) await deleted(sip.deleteSipDispatchRule(rule.sipDispatchRuleId));
      await deleted(sip.deleteSipTrunk(trunk.sipTrunkId));
    },
  };
};
