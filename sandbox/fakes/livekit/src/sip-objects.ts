// Trunks and dispatch rules: the checks before one is stored, and the changes of a stored one.
import { join } from 'node:path';
import type { SIPDispatchRuleInfo, SIPInboundTrunkInfo, SIPOutboundTrunkInfo } from '@livekit/protocol';
import { type ListUpdate, SIPTrunkInfo, SIPTrunkInfo_TrunkKind } from '@livekit/protocol';
import { newSid } from './room-model.js';
import { conflictingRule, conflictingTrunk } from './sip-routing.js';
import {
  dispatchRules,
  inboundTrunks,
  type Message,
  outboundTrunks,
  StoredMessages,
} from './stored-messages.js';
import { TwirpError } from './twirp.js';

const invalid = (message: string): TwirpError => new TwirpError('invalid_argument', message);
const printed = (id: string): string => `"${id || '<new>'}"`;

/** A list as an update leaves it. */
export const updatedList = (list: readonly string[], { set, add, remove, clear }: ListUpdate): string[] => {
  if (set.length > 0 && (clear || add.length + remove.length > 0))
    throw invalid('set cannot be combined with other changes of a list');
  if (set.length > 0) return [...set];
  const kept = clear ? [] : list.filter((value) => !remove.includes(value));
  return [...kept, ...add.filter((value) => !kept.includes(value))];
};

/** The fields of an update that are set, without its lists and maps, which are not simply replaced. */
export const scalarsOf = <T extends object, K extends keyof T>(
  update: T,
  apart: readonly K[],
): Omit<T, K> => {
  const set = Object.entries(update).filter(
    ([name, value]) => value !== undefined && !apart.some((other) => other === name),
  );
  // A field that was left out is undefined in the update or named in `apart`.
  return Object.fromEntries(set) as Omit<T, K>;
};

export class SipObjects {
  readonly inbound: StoredMessages<SIPInboundTrunkInfo>;
  readonly outbound: StoredMessages<SIPOutboundTrunkInfo>;
  readonly rules: StoredMessages<SIPDispatchRuleInfo>;

  constructor(dataDir: string) {
    this.inbound = new StoredMessages(join(dataDir, 'inbound-trunks.json'), inboundTrunks);
    this.outbound = new StoredMessages(join(dataDir, 'trunks.json'), outboundTrunks);
    this.rules = new StoredMessages(join(dataDir, 'dispatch-rules.json'), dispatchRules);
  }

  /** Stores a new trunk or one that changed. @throws TwirpError invalid_argument */
  putInbound(trunk: SIPInboundTrunkInfo): SIPInboundTrunkInfo {
    if (
      trunk.numbers.length + trunk.allowedAddresses.length === 0 &&
      !(trunk.authUsername && trunk.authPassword)
    )
      throw invalid('for security, one of the fields must be set: auth, allowedAddresses, or numbers');
    const other = conflictingTrunk(trunk, this.inbound.all());
    if (other)
      throw invalid(
        `Conflicting inbound SIP Trunks: ${printed(trunk.sipTrunkId)} and ${printed(other.sipTrunkId)}, using the same number(s)`,
      );
    trunk.sipTrunkId ||= newSid('ST');
    this.inbound.put(trunk);
    return trunk;
  }

  /** @throws TwirpError invalid_argument */
  putOutbound(trunk: SIPOutboundTrunkInfo): SIPOutboundTrunkInfo {
    if (!trunk.address) throw invalid('no outbound address specified');
    if (/^sips?:/.test(trunk.address)) throw invalid('trunk address should be a hostname or IP, not SIP URI');
    if (trunk.numbers.length === 0) throw invalid('no trunk numbers specified');
    trunk.sipTrunkId ||= newSid('ST');
    this.outbound.put(trunk);
    return trunk;
  }

  /** @throws TwirpError invalid_argument; unimplemented for a rule that no simulated caller can follow */
  putRule(rule: SIPDispatchRuleInfo): SIPDispatchRuleInfo {
    if (rule.rule?.rule.case === undefined) throw invalid('missing rule');
    if (rule.rule.rule.value.pin) throw new TwirpError('unimplemented', 'simulated callers do not type PINs');
    const other = conflictingRule(rule, this.rules.all());
    if (other)
      throw invalid(
        `Dispatch rule for the same trunk, inbound number, number, and PIN combination already exists in dispatch rule "${other.sipDispatchRuleId}" "${other.name}"`,
      );
    rule.sipDispatchRuleId ||= newSid('SDR');
    this.rules.put(rule);
    return rule;
  }

  /** A trunk that is not there is deleted all the same. */
  deleteTrunk(id: string): SIPTrunkInfo {
    const kind = this.inbound.get(id)
      ? SIPTrunkInfo_TrunkKind.TRUNK_INBOUND
      : SIPTrunkInfo_TrunkKind.TRUNK_OUTBOUND;
    const stored = this.inbound.get(id) ? this.inbound : this.outbound;
    const { name = '', metadata = '' } = stored.get(id) ?? {};
    if (stored.get(id)) stored.delete(id);
    return new SIPTrunkInfo({ sipTrunkId: id, kind, name, metadata });
  }

  /** @throws TwirpError not_found */
  deleteRule(id: string): SIPDispatchRuleInfo {
    const rule = found(this.rules.get(id), 'dispatch rule');
    this.rules.delete(id);
    return rule;
  }
}

/** @throws TwirpError not_found */
export const found = <T extends Message>(message: T | undefined, what: 'trunk' | 'dispatch rule'): T => {
  if (!message) throw new TwirpError('not_found', `requested sip ${what} does not exist`);
  return message;
};
