// The Twirp methods for trunks and dispatch rules. Requests and answers are the protocol's own messages.
import {
  CreateSIPDispatchRuleRequest,
  CreateSIPInboundTrunkRequest,
  CreateSIPOutboundTrunkRequest,
  DeleteSIPDispatchRuleRequest,
  DeleteSIPTrunkRequest,
  ListSIPDispatchRuleRequest,
  ListSIPInboundTrunkRequest,
  ListSIPOutboundTrunkRequest,
  type Pagination,
  SIPDispatchRuleInfo,
  SIPInboundTrunkInfo,
  SIPOutboundTrunkInfo,
  UpdateSIPDispatchRuleRequest,
  UpdateSIPInboundTrunkRequest,
  UpdateSIPOutboundTrunkRequest,
} from '@livekit/protocol';
import { found, type SipObjects, scalarsOf, updatedList } from './sip-objects.js';
import type { Json, Message, StoredMessages } from './stored-messages.js';
import { type Method, TwirpError } from './twirp.js';

interface RequestType<T> {
  readonly fromJson: (json: Json, options: { readonly ignoreUnknownFields: boolean }) => T;
}

const method = <T>(
  type: RequestType<T>,
  run: (request: T) => Message | { readonly items: Json[] },
): Method => ({
  grant: 'sipAdmin',
  target: 'trunks',
  run: async (body) => {
    let request: T;
    try {
      // Parsed from JSON by the HTTP layer.
      request = type.fromJson(body as Json, { ignoreUnknownFields: true });
    } catch (error) {
      throw new TwirpError('invalid_argument', error instanceof Error ? error.message : 'malformed request');
    }
    const answer = run(request);
    return 'items' in answer ? answer : answer.toJson();
  },
});

const given = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new TwirpError('invalid_argument', `missing ${what}`);
  return value;
};

const overlaps = (wanted: readonly string[], values: readonly string[]): boolean =>
  wanted.length === 0 || values.length === 0 || wanted.some((value) => values.includes(value));

interface Listing<T extends Message> {
  readonly ids: readonly string[];
  readonly page: Pagination | undefined;
  readonly idOf: (message: T) => string;
  readonly matches: (message: T) => boolean;
}

/** Asked for by id: in that order, without the missing ones. Else all that match, a page at a time. */
const listed = <T extends Message>(
  stored: StoredMessages<T>,
  { ids, page, idOf, matches }: Listing<T>,
): { items: Json[] } => {
  if (ids.length > 0) return { items: ids.flatMap((id) => stored.get(id)?.toJson() ?? []) };
  const after = page?.afterId ?? '';
  const items = stored.all().filter((message) => matches(message) && idOf(message) > after);
  return { items: items.slice(0, page?.limit || items.length).map((message) => message.toJson()) };
};

const trunkMethods = (objects: SipObjects): Record<string, Method> => ({
  CreateSIPInboundTrunk: method(CreateSIPInboundTrunkRequest, ({ trunk }) =>
    objects.putInbound(new SIPInboundTrunkInfo({ ...given(trunk, 'trunk'), sipTrunkId: '' })),
  ),
  CreateSIPOutboundTrunk: method(CreateSIPOutboundTrunkRequest, ({ trunk }) =>
    objects.putOutbound(new SIPOutboundTrunkInfo({ ...given(trunk, 'trunk'), sipTrunkId: '' })),
  ),
  ListSIPInboundTrunk: method(ListSIPInboundTrunkRequest, ({ trunkIds, numbers, page }) =>
    listed(objects.inbound, {
      ids: trunkIds,
      page,
      idOf: ({ sipTrunkId }) => sipTrunkId,
      matches: (trunk) => overlaps(numbers, trunk.numbers),
    }),
  ),
  ListSIPOutboundTrunk: method(ListSIPOutboundTrunkRequest, ({ trunkIds, numbers, page }) =>
    listed(objects.outbound, {
      ids: trunkIds,
      page,
      idOf: ({ sipTrunkId }) => sipTrunkId,
      matches: (trunk) => overlaps(numbers, trunk.numbers),
    }),
  ),
  DeleteSIPTrunk: method(DeleteSIPTrunkRequest, ({ sipTrunkId }) => objects.deleteTrunk(sipTrunkId)),
});

const updateMethods = (objects: SipObjects): Record<string, Method> => ({
  UpdateSIPInboundTrunk: method(UpdateSIPInboundTrunkRequest, ({ sipTrunkId, action }) => {
    const current = found(objects.inbound.get(sipTrunkId), 'trunk');
    if (action.case === 'replace')
      return objects.putInbound(new SIPInboundTrunkInfo({ ...action.value, sipTrunkId }));
    const change = given(action.value, 'action');
    const { numbers, allowedAddresses, allowedNumbers } = change;
    return objects.putInbound(
      new SIPInboundTrunkInfo({
        ...current,
        ...scalarsOf(change, ['numbers', 'allowedAddresses', 'allowedNumbers']),
        ...(numbers ? { numbers: updatedList(current.numbers, numbers) } : {}),
        ...(allowedAddresses
          ? { allowedAddresses: updatedList(current.allowedAddresses, allowedAddresses) }
          : {}),
        ...(allowedNumbers ? { allowedNumbers: updatedList(current.allowedNumbers, allowedNumbers) } : {}),
      }),
    );
  }),
  UpdateSIPOutboundTrunk: method(UpdateSIPOutboundTrunkRequest, ({ sipTrunkId, action }) => {
    const current = found(objects.outbound.get(sipTrunkId), 'trunk');
    if (action.case === 'replace')
      return objects.putOutbound(new SIPOutboundTrunkInfo({ ...action.value, sipTrunkId }));
    const change = given(action.value, 'action');
    const { numbers } = change;
    return objects.putOutbound(
      new SIPOutboundTrunkInfo({
        ...current,
        ...scalarsOf(change, ['numbers']),
        ...(numbers ? { numbers: updatedList(current.numbers, numbers) } : {}),
      }),
    );
  }),
});

const ruleMethods = (objects: SipObjects): Record<string, Method> => ({
  CreateSIPDispatchRule: method(CreateSIPDispatchRuleRequest, (request) => {
    // Older clients spread the rule over the request itself.
    const { dispatchRule, rule, trunkIds, hidePhoneNumber, inboundNumbers, ...rest } = request;
    const { name, metadata, attributes, roomPreset, roomConfig } = rest;
    const described = { name, metadata, attributes, roomPreset, ...(roomConfig ? { roomConfig } : {}) };
    const spread = { ...(rule ? { rule } : {}), trunkIds, hidePhoneNumber, inboundNumbers, ...described };
    return objects.putRule(new SIPDispatchRuleInfo({ ...(dispatchRule ?? spread), sipDispatchRuleId: '' }));
  }),
  ListSIPDispatchRule: method(ListSIPDispatchRuleRequest, ({ dispatchRuleIds, trunkIds, page }) =>
    listed(objects.rules, {
      ids: dispatchRuleIds,
      page,
      idOf: ({ sipDispatchRuleId }) => sipDispatchRuleId,
      matches: (rule) => overlaps(trunkIds, rule.trunkIds),
    }),
  ),
  UpdateSIPDispatchRule: method(UpdateSIPDispatchRuleRequest, ({ sipDispatchRuleId, action }) => {
    const current = found(objects.rules.get(sipDispatchRuleId), 'dispatch rule');
    if (action.case === 'replace')
      return objects.putRule(new SIPDispatchRuleInfo({ ...action.value, sipDispatchRuleId }));
    const change = given(action.value, 'action');
    const { trunkIds, attributes } = change;
    return objects.putRule(
      new SIPDispatchRuleInfo({
        ...current,
        ...scalarsOf(change, ['trunkIds', 'attributes']),
        ...(trunkIds ? { trunkIds: updatedList(current.trunkIds, trunkIds) } : {}),
        attributes: { ...current.attributes, ...attributes },
      }),
    );
  }),
  DeleteSIPDispatchRule: method(DeleteSIPDispatchRuleRequest, ({ sipDispatchRuleId }) =>
    objects.deleteRule(sipDispatchRuleId),
  ),
});

/** Everything about trunks and dispatch rules, by method name. */
export const sipAdminMethods = (objects: SipObjects): Record<string, Method> => ({
  ...trunkMethods(objects),
  ...updateMethods(objects),
  ...ruleMethods(objects),
});
