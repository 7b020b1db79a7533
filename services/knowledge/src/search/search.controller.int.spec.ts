// People search the knowledge of their own agents only. The runtime of a call searches the knowledge of its agent, and no longer
// than ten minutes after the call's end.

import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  type Callable,
  type Caller,
  contract,
  eventSubject,
  events,
  makeEvent,
  type Passage,
  type RequestOf,
  rolePermissions,
  serviceRequests,
} from '@parlance/contracts';
import {
  callerEnvOf,
  callerVariables,
  eventually,
  natsUrlOf,
  serveOperation,
  type TestEngines,
  testEngines,
} from '@parlance/fixtures';
import { endedCall } from '@parlance/fixtures/service';
import type { RunningService } from '@parlance/observability';
import { createDatabase, type Database } from '@parlance/postgres';
import { callerOfCall, connectNats, RequestSigner, RpcClient } from '@parlance/rpc';
import { Env, start } from '../index.js';
import { addSource } from '../samples/indexed-sources.js';

let engines: TestEngines;
let db: Database;
let service: RunningService;
let nats: Awaited<ReturnType<typeof connectNats>>;
let signer: RequestSigner;

const mine = { organizationId: randomUUID(), agentId: randomUUID() };
const text = 'Parking is behind the building.';
const body = { query: 'parking', limit: 5 };

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  const { url } = await engines.databaseFor('knowledge');
  service = await start(
    Env.parse({
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      NATS_URL: natsUrlOf(engines.natsUrl, 'knowledge'),
      ...callerVariables('knowledge'),
      POSTGRES_URL: url.reveal(),
      CURSOR_KEY: randomBytes(32).toString('base64'),
    }),
  );
  db = createDatabase({ url, applicationName: 'test' });
  nats = await connectNats({ url: engines.natsUrl, name: 'test' });
  signer = new RequestSigner('gateway', callerEnvOf('gateway'));
  await serveOperation(nats, serviceRequests.agentsReference, ({ input }) => {
    const { agentId } = serviceRequests.agentsReference.body.parse(input.body);
    return { data: { name: agentId === mine.agentId ? 'Front desk' : null, isOrganizationKnown: true } };
  });
  await addSource(db, { ...mine, chunks: [{ text }] });
});
afterAll(async () => {
  await nats?.close();
  await db?.end();
  await service?.stop();
  await engines?.stop();
});

const ask = async <T extends Callable>(row: T, request: RequestOf<T>, who: Caller) =>
  (await new RpcClient(nats, { signer }).call(row, request, { caller: who, requestId: randomUUID() })).data;
const owner: Caller = {
  organizationId: mine.organizationId,
  actor: { type: 'user', id: 'u1' },
  role: 'owner',
  permissions: [...rolePermissions.owner],
};
const texts = (passages: readonly Passage[]): string[] => passages.map((passage) => passage.text);

it("searches one's own agent and refuses any other", async () => {
  expect(
    texts(await ask(contract.knowledgeSearch, { body: { ...body, agentId: mine.agentId } }, owner)),
  ).toEqual([text]);
  await expect(
    ask(contract.knowledgeSearch, { body: { ...body, agentId: randomUUID() } }, owner),
  ).rejects.toMatchObject({
    code: 'AGENT_NOT_FOUND',
  });
});

it('finds a form of a word in a language without a stemmer, and a misheard word', async () => {
  const texts = ['את הדירה אפשר לראות בימי ראשון.', 'The lighthouse museum opens in spring.'];
  await addSource(db, { ...mine, chunks: texts.map((each) => ({ text: each, language: 'simple' })) });
  const first = async (query: string): Promise<string | undefined> =>
    (await ask(contract.knowledgeSearch, { body: { ...body, query, agentId: mine.agentId } }, owner))[0]
      ?.text;
  expect(await first('מתי מראים דירה')).toBe(texts[0]);
  expect(await first('litehous museeum')).toBe(texts[1]);
});

it('answers the knowledge of an agent to its own organization only', async () => {
  const known = (organizationId: string) =>
    ask(serviceRequests.knowledgeForAgent, { body: { agentId: mine.agentId } }, { ...owner, organizationId });
  expect(await known(mine.organizationId)).toEqual({ mode: 'auto', prompt: null });
  expect(await known(randomUUID())).toEqual({ mode: 'none', prompt: null });
});

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const endCall = async (callId: string, endedAt: string): Promise<void> => {
  const sample = makeEvent(events.callEnded, {
    id: randomUUID(),
    organizationId: mine.organizationId,
    occurredAt: endedAt,
    data: endedCall({ callId, agentId: mine.agentId }, endedAt),
  });
  await nats.jetstream().publish(eventSubject(sample), JSON.stringify(sample));
};

it('searches in a call, and not ten minutes after its end', async () => {
  const inCall = (callId: string) =>
    ask(contract.knowledgeSearchInCall, { params: { callId }, body }, callerOfCall({ ...mine, callId }));
  const [live, justEnded, over] = [randomUUID(), randomUUID(), randomUUID()];
  await endCall(justEnded, minutesAgo(9));
  await endCall(over, minutesAgo(11));
  await eventually(async () => {
    await expect(inCall(over)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
  expect(texts(await inCall(live))).toEqual([text]);
  expect(texts(await inCall(justEnded))).toEqual([text]);
});
