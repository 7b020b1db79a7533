// Real ids of one organization, by the names under which operations of the contract take them.
import { randomUUID } from 'node:crypto';
import type { Operation } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { z } from 'zod';
import type { Account, Accounts } from './accounts.js';

/** Ids of things that only services of a later release make; their operations answer 501 for any. */
const unmade = ['kbId', 'sessionId', 'fileKey'] as const;

/** Fields that look like an id and name nothing of an organization. */
const ofNobody = new Set([
  'templateId',
  'visitorId',
  'eventId',
  'executionId',
  'providerCallId',
  'provider',
  'publicKey',
]);
const looksLikeAnId = /(Id|Key|^id|^cursor|^roomName|^fromNumber|^toolName)$/;

/** Parameters of a path that number something inside the object that an id names. */
const counts = new Set(['version']);

type Part = 'params' | 'query' | 'body';
export interface IdField {
  readonly part: Part;
  readonly name: string;
}

const fieldsOf = (schema: z.ZodType | undefined): string[] => {
  if (schema === undefined) return [];
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const shapes = [json, ...(json.anyOf ?? []), ...(json.oneOf ?? [])];
  return [...new Set(shapes.flatMap((shape) => Object.keys(Object(shape).properties ?? {})))];
};

/** Every field of a row that takes an id of something that belongs to an organization. */
export const idFieldsOf = (row: Operation): IdField[] => [
  ...Object.keys(row.params?.shape ?? {})
    .filter((name) => !counts.has(name))
    .map((name) => ({ part: 'params' as const, name })),
  ...(['query', 'body'] as const).flatMap((part) =>
    fieldsOf(row[part])
      .filter((name) => looksLikeAnId.test(name) && !ofNobody.has(name))
      .map((name) => ({ part, name })),
  ),
];

export type Values = Readonly<Record<string, string>>;

const invented = (): Values => Object.fromEntries(unmade.map((name) => [name, randomUUID()]));

/** The form of real ids, and nothing behind them. */
export const randomValues = (like: Values): Values => ({
  ...Object.fromEntries(Object.keys(like).map((name) => [name, randomUUID()])),
  fromNumber: '+14155550142',
  phoneNumber: '+14155550143',
  sourceFileKey: (like.sourceFileKey ?? '').replace(/[0-9a-f-]{36}(?=[^/]*$)/, randomUUID()),
  roomName: `rm_${randomUUID()}`,
  cursor: 'bm8gY3Vyc29yIG9mIGFueWJvZHk',
  toolName: 'nothing',
  modelName: 'nothing',
  modelId: 'custom/nothing',
  voiceId: 'custom/nothing/nobody',
  version: '1',
});

/** Makes one of everything that an organization can have in this release. */
export const makeEverything = async (accounts: Accounts, account: Account): Promise<Values> => {
  const { api, url } = accounts.platform;
  const ask = async <T>(
    method: string,
    path: string,
    body?: unknown,
    headers = account.headers,
  ): Promise<T> => {
    const response = await fetch(`${api}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answers ${response.status} ${text}`);
    return JSON.parse(text) as T; // as the contract declares it
  };
  type Made = { readonly data: { readonly id: string } };
  const agentId = await accounts.agent(account);
  const fromNumber = await accounts.number(account);
  const numbers = await ask<{ data: readonly { readonly id: string }[] }>('GET', '/numbers');
  const inPerson = { cookie: account.cookie, origin: url };
  await ask('PATCH', `/numbers/${numbers.data[0]?.id}`, { agentId }, inPerson);
  // No process listens there: the message about the call below waits for its next try.
  await ask('POST', `/agents/${agentId}/config`, {
    ...(await accounts.catalogDefaults(account)),
    ...{ agent_language: 'en', firstMessage: 'Hello', systemPrompt: 'You are brief.', timezone: 'UTC' },
    post_call_webhook: { url: 'https://receiver.invalid/calls', events: ['call.started'] },
  });
  const quick = { agentId, fromNumber, phoneNumber: '+14155550100' };
  const call = await ask<Made>('POST', '/outbound-calls/quick', quick);
  await ask<Made>('POST', '/outbound-calls/quick', { ...quick, phoneNumber: '+14155550101' });
  const { callId, roomName } = await eventually(
    async () => {
      const { data } = await ask<{ data: readonly { readonly callId: string; readonly roomName: string }[] }>(
        'GET',
        '/calls/live',
      );
      const [live] = data;
      if (live === undefined) throw new Error('no call is live yet');
      return live;
    },
    { timeoutMs: 30_000 },
  );
  const query = 'fileName=people.csv&contentType=text/csv';
  const { data: place } = await ask<{ data: { readonly uploadUrl: string; readonly sourceFileKey: string } }>(
    'GET',
    `/outbound-calls/batch-upload-url?${query}`,
  );
  const put = {
    method: 'PUT',
    headers: { 'content-type': 'text/csv' },
    body: 'phone_number\n+14155550170\n',
  };
  await fetch(place.uploadUrl, put);
  const { sourceFileKey } = place;
  const later = new Date(Date.now() + 86_400_000).toISOString();
  const campaign = await ask<Made>('POST', '/outbound-calls/batches', {
    ...{ name: 'Theirs', agentId, fromNumber, sourceFileKey, sourceFileName: 'people.csv' },
    scheduledAt: later,
  });
  // The campaign takes its file in before the tests begin, so that this change does not look like a side effect later.
  await eventually(
    async () => {
      const path = `/outbound-calls/batches/${campaign.data.id}`;
      const { data } = await ask<{ data: { readonly status: string } }>('GET', path);
      if (data.status !== 'scheduled') throw new Error(`the campaign is ${data.status}`);
    },
    { timeoutMs: 30_000 },
  );
  const phoneNumbers = ['+14155550199', '+14155550198'];
  const suppressed = await ask<{ data: readonly { readonly id: string }[] }>('POST', '/suppressions', {
    phoneNumbers,
  });
  const secret = await ask<Made>('POST', '/secrets', { name: 'OURS', value: 'planted-secret-of-ours' });
  const toolName = 'look_up_of_ours';
  const tool = await ask<Made>('POST', '/tools', {
    ...{ name: toolName, description: 'Looks something up.' },
    request: { method: 'GET', url: 'https://example.com/' },
  });
  const connection = await ask<Made>('POST', '/mcp/connections', {
    name: 'Ours',
    url: 'https://example.com/mcp',
  });
  const modelName = 'ours';
  const modelId = `custom/${modelName}`;
  await ask<Made>('POST', '/models', {
    ...{ id: modelId, kind: 'tts', name: 'Ours', baseUrl: 'https://example.com/v1', model: 'ours' },
    voices: [{ id: 'nina', name: 'Nina', languages: ['en'] }],
  });
  // A number that nothing else of the tests has: this erasure erases nothing.
  const person = `/people/${encodeURIComponent('+14155550196')}`;
  const counted = await ask<{ data: { readonly confirmation: string } }>('DELETE', person);
  const confirmation = new URLSearchParams({ confirmation: counted.data.confirmation });
  const erased = await ask<{ data: { readonly erasure: { readonly id: string } } }>(
    'DELETE',
    `${person}?${confirmation}`,
  );
  const widget = await ask<Made>('POST', `/agents/${agentId}/widgets`, { name: 'Shop' });
  // An agent counts its widgets a moment later, which would look like a side effect too.
  await eventually(
    async () => {
      const { data } = await ask<{
        data: readonly { readonly id: string; readonly counts: { readonly widgets: number } }[];
      }>('GET', '/agents');
      if (data.find(({ id }) => id === agentId)?.counts.widgets !== 1)
        throw new Error('the agent does not count its widget yet');
    },
    { timeoutMs: 30_000 },
  );
  const deliveryId = await eventually(
    async () => {
      const { data } = await ask<{ data: readonly { readonly id: string }[] }>('GET', '/webhooks/deliveries');
      if (data[0] === undefined) throw new Error('no message to a webhook is there yet');
      return data[0].id;
    },
    { timeoutMs: 30_000 },
  );
  const page = await eventually(async () => {
    const answer = await ask<{ nextCursor?: string }>('GET', '/outbound-calls?limit=1');
    if (answer.nextCursor === undefined) throw new Error('one page holds all');
    return answer.nextCursor;
  });
  return {
    ...invented(),
    ...{ agentId, fromNumber, callId, roomName, sourceFileKey, toolName, modelName, modelId },
    voiceId: `${modelId}/nina`,
    toolId: tool.data.id,
    mcpConnectionId: connection.data.id,
    deliveryId,
    secretId: secret.data.id,
    visitorTokenSecretId: secret.data.id,
    widgetId: widget.data.id,
    phId: numbers.data[0]?.id ?? '',
    phoneNumber: fromNumber,
    outboundId: call.data.id,
    campaignId: campaign.data.id,
    suppressionId: suppressed.data[0]?.id ?? '',
    cursor: page,
    outboundCallId: call.data.id,
    erasureId: erased.data.erasure.id,
    quoteId: randomUUID(),
    organizationId: randomUUID(),
  };
};
