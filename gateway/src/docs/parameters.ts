// Words for parameters whose schemas have no description. Parameters of one name have one meaning in every operation.
import { withExample } from './parts.js';
import { recordedParameter } from './recorded.js';
import { type Json } from './schemas.js';

const inPath: Readonly<Record<string, string>> = {
  agentId: 'id of the agent',
  callId: 'id of the call',
  campaignId: 'id of the campaign',
  deliveryId: 'id of the delivery, which is the header `webhook-id` of its tries',
  kbId: 'id of the knowledge source',
  mcpConnectionId: 'id of the connection to an MCP server',
  outboundId: 'id of the outbound call',
  phId: 'id of the number, as the list of numbers has it',
  phoneNumber: 'the number, with `+` and the code of its country',
  secretId: 'id of the secret',
  sessionId: 'id of the conversation, as its start answers it',
  suppressionId: 'id of the entry in the suppression list',
  toolId: 'id of the tool',
  toolName: 'name of the tool',
  widgetId: 'id of the widget',
};

const inQuery: Readonly<Record<string, string>> = {
  agentId: 'what belongs to this agent',
  callId: 'what belongs to this call',
  calledNumber: 'number that was called',
  callerNumber: 'number that the call comes from',
  campaignId: 'what belongs to this campaign',
  channel: 'how the person is connected',
  contentType: 'media type of the file, which its upload has to name too',
  country: 'code of two letters by ISO 3166-1',
  cursor: '`nextCursor` of the page before; the first page without it',
  direction: 'by who began the call',
  fileName: 'name of the file, for people',
  from: 'first moment of the period',
  id: 'id of the invitation',
  mode: 'placed alone or by a campaign',
  organizationId: 'id of the organization; the active one of the session unless given',
  outcome: 'what the call came to',
  phoneNumber: 'number to call',
  provider: 'telephony provider',
  providerCallId: 'id of the call at its telephony provider',
  range: 'the period; `custom` takes `from` and `to`',
  sortBy: 'field that the list is sorted by',
  sortDirection: 'direction of the sort',
  status: 'with this status',
  to: 'end of the period',
  token: 'the token of the link that was sent by e-mail',
};

const words: Readonly<Record<string, Readonly<Record<string, string>>>> = { path: inPath, query: inQuery };

/**
 * A parameter of an operation.
 * @param id the operation that takes it
 * @param field its schema; a description in it comes before the common words
 */
export const parameterOf = (
  place: 'path' | 'query',
  name: string,
  { id, required, field }: { readonly id: string; readonly required: boolean; readonly field: Json },
): Json => {
  const { description = words[place]?.[name], ...schema } = field;
  const example = recordedParameter(id, place === 'path' ? 'params' : 'query', name, schema);
  return {
    ...{ name, in: place, required },
    ...(description === undefined ? {} : { description }),
    schema,
    ...withExample(example),
  };
};
