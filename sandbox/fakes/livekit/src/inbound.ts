// Inbound calls to the platform's numbers. A dispatch rule decides the room and the agents that join it, and the caller
// hangs up when no agent answers.
import { randomBytes } from 'node:crypto';
import type { SIPDispatchRuleInfo, SIPInboundTrunkInfo } from '@livekit/protocol';
import { z } from 'zod';
import type { Room } from './room-model.js';
import type { Rooms } from './rooms.js';
import type { SipObjects } from './sip-objects.js';
import {
  acceptsCredentials,
  callerIdentity,
  type InboundCall,
  matchRule,
  matchTrunk,
  roomNameOf,
} from './sip-routing.js';
import { TwirpError } from './twirp.js';

const number = z.string().regex(/^\+\d{5,15}$/);
const Call = z.object({
  from: number,
  to: number,
  address: z.union([z.ipv4(), z.ipv6()]).default('127.0.0.1'),
  username: z.string().optional(),
  password: z.string().optional(),
});

/** Where the caller is, or why the call was not taken. */
export type InboundAnswer =
  | {
      readonly roomName: string;
      readonly participantIdentity: string;
      readonly sipCallId: string;
      readonly sipDispatchRuleId: string;
    }
  | { readonly refused: string };

export interface InboundParts {
  readonly rooms: Rooms;
  readonly objects: SipObjects;
  readonly timeScale: number;
}

interface Route {
  readonly trunk: SIPInboundTrunkInfo | undefined;
  readonly rule: SIPDispatchRuleInfo;
  readonly sipCallId: string;
}

const patienceMs = 20_000;
const newSipCallId = (): string => `SCL_${randomBytes(9).toString('base64url')}`;

export class InboundCalls {
  readonly #parts: InboundParts;

  constructor(parts: InboundParts) {
    this.#parts = parts;
  }

  /** A person calls; resolves when the phone rings. @throws TwirpError invalid_argument */
  async call(body: unknown): Promise<InboundAnswer> {
    const parsed = Call.safeParse(body);
    if (!parsed.success) throw new TwirpError('invalid_argument', z.prettifyError(parsed.error));
    const call = parsed.data;
    const { inbound, rules } = this.#parts.objects;
    const trunk = matchTrunk(inbound.all(), call);
    if (!acceptsCredentials(trunk, call))
      return { refused: `the trunk of ${call.to} takes other credentials` };
    const rule = matchRule(rules.all(), trunk, call);
    if (!rule) return { refused: `no SIP ${trunk ? '' : 'trunk or '}dispatch rule matches ${call.to}` };
    const route = { trunk, rule, sipCallId: newSipCallId() };
    const room = this.#roomFor(route, call);
    const participantIdentity = this.#enter(room, route, call);
    return {
      roomName: room.name,
      participantIdentity,
      sipCallId: route.sipCallId,
      sipDispatchRuleId: rule.sipDispatchRuleId,
    };
  }

  /** The room of the rule, with its agents sent to it when it is new. */
  #roomFor({ rule }: Route, call: InboundCall): Room {
    const { rooms } = this.#parts;
    const name = roomNameOf(rule, call, randomBytes(9).toString('base64url'));
    const isNew = rooms.list([name]).length === 0;
    const room = rooms.create(name, rule.roomConfig?.metadata ?? '', rule.roomConfig?.emptyTimeout || 300);
    for (const agent of isNew ? (rule.roomConfig?.agents ?? []) : [])
      rooms.dispatch(agent.agentName, room, agent.metadata);
    return room;
  }

  #enter(room: Room, { trunk, rule, sipCallId }: Route, call: InboundCall): string {
    const identity = callerIdentity(rule, call);
    const gone = new AbortController();
    const participant = this.#parts.rooms.join(room, {
      identity,
      kind: 'SIP',
      metadata: rule.metadata,
      attributes: {
        ...rule.attributes,
        'sip.callID': sipCallId,
        'sip.callIDFull': `${sipCallId}@caller`,
        'sip.callStatus': 'ringing',
        'sip.trunkID': trunk?.sipTrunkId ?? '',
        'sip.ruleID': rule.sipDispatchRuleId,
        ...(rule.hidePhoneNumber
          ? {}
          : {
              'sip.hostname': 'carrier.invalid',
              'sip.phoneNumber': call.from,
              'sip.trunkPhoneNumber': call.to,
            }),
      },
      onRemoved: () => gone.abort(),
    });
    const status = (value: string): void => {
      participant.attributes = { ...participant.attributes, 'sip.callStatus': value };
    };
    const deadline = Date.now() + patienceMs / this.#parts.timeScale;
    const timer = setInterval(() => {
      if (gone.signal.aborted) clearInterval(timer);
      else if ([...room.participants.values()].some(({ kind }) => kind === 'AGENT')) {
        clearInterval(timer);
        status('active');
      } else if (Date.now() > deadline) {
        clearInterval(timer);
        this.#parts.rooms.leave(room, identity, 'CLIENT_INITIATED');
      }
    }, 20);
    return identity;
  }
}
