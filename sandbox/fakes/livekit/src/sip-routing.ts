// The trunk and the dispatch rule that take an inbound call, and those that cannot stand beside each other. These are
// the rules of LiveKit's SIP service. Pure.
import { createHash } from 'node:crypto';
import { BlockList, isIPv6 } from 'node:net';
import type { SIPDispatchRuleInfo, SIPInboundTrunkInfo } from '@livekit/protocol';

export interface InboundCall {
  readonly from: string;
  readonly to: string;
  /** The source of the INVITE. */
  readonly address: string;
  /** With which the caller answers the challenge of a trunk that has credentials. */
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

const normalized = (number: string): string =>
  number === '' || number.startsWith('+') ? number : `+${number}`;
const orAny = (values: readonly string[]): readonly string[] => (values.length > 0 ? values : ['']);
const pairs = (left: readonly string[], right: readonly string[]): string[] =>
  orAny(left).flatMap((a) => orAny(right).map((b) => `${normalized(a)} ${normalized(b)}`));
const meet = (left: readonly string[], right: readonly string[]): boolean =>
  left.some((value) => right.includes(value));

/** The trunk that stands in the way of another one: same called and same allowed numbers. */
export const conflictingTrunk = (
  trunk: SIPInboundTrunkInfo,
  others: readonly SIPInboundTrunkInfo[],
): SIPInboundTrunkInfo | undefined =>
  others.find(
    (other) =>
      other.sipTrunkId !== trunk.sipTrunkId &&
      meet(pairs(other.numbers, other.allowedNumbers), pairs(trunk.numbers, trunk.allowedNumbers)),
  );

const ruleKeys = ({ trunkIds, inboundNumbers, numbers }: SIPDispatchRuleInfo): string[] =>
  orAny(trunkIds).flatMap((trunk) => pairs(inboundNumbers, numbers).map((pair) => `${trunk} ${pair}`));

/** The rule that stands in the way of another one: same trunk, calling and called number. */
export const conflictingRule = (
  rule: SIPDispatchRuleInfo,
  others: readonly SIPDispatchRuleInfo[],
): SIPDispatchRuleInfo | undefined =>
  others.find(
    (other) => other.sipDispatchRuleId !== rule.sipDispatchRuleId && meet(ruleKeys(other), ruleKeys(rule)),
  );

const allowsAddress = ({ allowedAddresses }: SIPInboundTrunkInfo, address: string): boolean => {
  if (allowedAddresses.length === 0) return true;
  const allowed = new BlockList();
  for (const range of allowedAddresses) {
    const [network = '', bits] = range.split('/');
    const family = isIPv6(network) ? 'ipv6' : 'ipv4';
    if (bits === undefined) allowed.addAddress(network, family);
    else allowed.addSubnet(network, Number(bits), family);
  }
  return allowed.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
};

/** The trunk of the called number, else the one for every number. */
export const matchTrunk = (
  trunks: readonly SIPInboundTrunkInfo[],
  { from, to, address }: InboundCall,
): SIPInboundTrunkInfo | undefined => {
  const open = trunks.filter(
    (trunk) =>
      (trunk.allowedNumbers.length === 0 ||
        trunk.allowedNumbers.map(normalized).includes(normalized(from))) &&
      allowsAddress(trunk, address),
  );
  return (
    open.find(({ numbers }) => numbers.map(normalized).includes(normalized(to))) ??
    open.find(({ numbers }) => numbers.length === 0)
  );
};

/** A trunk with half of a pair challenges nobody. */
export const acceptsCredentials = (
  trunk: Pick<SIPInboundTrunkInfo, 'authUsername' | 'authPassword'> | undefined,
  { username, password }: Pick<InboundCall, 'username' | 'password'>,
): boolean =>
  !trunk?.authUsername ||
  !trunk.authPassword ||
  (username === trunk.authUsername && password === trunk.authPassword);

const kinds: readonly (string | undefined)[] = [
  'dispatchRuleDirect',
  'dispatchRuleIndividual',
  'dispatchRuleCallee',
];
const priority = ({ rule, inboundNumbers, numbers }: SIPDispatchRuleInfo): number =>
  kinds.indexOf(rule?.rule.case) + (inboundNumbers.length > 0 ? 0 : 1_000) + (numbers.length > 0 ? 0 : 100);

/** A rule of the call's trunk, else one for every trunk; rules for the calling number first. */
export const matchRule = (
  rules: readonly SIPDispatchRuleInfo[],
  trunk: SIPInboundTrunkInfo | undefined,
  { from, to }: InboundCall,
): SIPDispatchRuleInfo | undefined => {
  const fitting = rules
    .filter(({ inboundNumbers }) => inboundNumbers.length === 0 || inboundNumbers.includes(from))
    .filter(({ numbers }) => numbers.length === 0 || numbers.map(normalized).includes(normalized(to)))
    .sort((a, b) => priority(a) - priority(b));
  return (
    fitting.find(({ trunkIds }) => trunk !== undefined && trunkIds.includes(trunk.sipTrunkId)) ??
    fitting.find(({ trunkIds }) => trunkIds.length === 0)
  );
};

/** The name of the room that a rule puts a call into. */
export const roomNameOf = (
  { rule, hidePhoneNumber }: SIPDispatchRuleInfo,
  { from, to }: Pick<InboundCall, 'from' | 'to'>,
  random: string,
): string => {
  switch (rule?.rule.case) {
    case 'dispatchRuleDirect':
      return rule.rule.value.roomName;
    case 'dispatchRuleCallee': {
      const { roomPrefix, randomize } = rule.rule.value;
      return `${roomPrefix && `${roomPrefix}_`}${to}${randomize ? `_${random}` : ''}`;
    }
    default:
      return `${rule?.rule.value?.roomPrefix ?? ''}_${hidePhoneNumber ? from.slice(-4) : from}_${random}`;
  }
};

/** The caller's identity in the room; a number that is to be hidden shows only as a hash. */
export const callerIdentity = (
  { hidePhoneNumber }: SIPDispatchRuleInfo,
  { from }: Pick<InboundCall, 'from'>,
): string => `sip_${hidePhoneNumber ? createHash('sha256').update(from).digest('hex').slice(0, 16) : from}`;
