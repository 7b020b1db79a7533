// Commands and questions of people and other services about an existing outbound call: cancel it, retry it, ask for its
// state.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Caller, contract, events, serviceRequests } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { ownerOf } from '@parlance/fixtures/service';
import type { RunningService } from '@parlance/observability';
import { attemptIds } from './domain/outbound-call/attempt-ids.js';
import { type DialingWorld, importedCampaign, startDialingWorld } from './testing/dialing-world.js';
import { code, endOf, quickCallsOf } from './testing/quick-calls.js';

let world: DialingWorld;
let dialer: RunningService;

beforeAll(async () => {
  world = await startDialingWorld();
  dialer = await world.startDialer();
});
afterAll(async () => {
  await dialer?.stop();
  await world?.remove();
});

const { organization, get, cancel, retry, until, toldAbout } = quickCallsOf(() => world);

describe('cancelling', () => {
  it.concurrent('stops a phone that rings within seconds, and says so again when asked again', async () => {
    const { who, quick } = organization();
    const { id } = await quick({ phoneNumber: '+14155550160' });
    const { roomName, callId } = attemptIds(id, 1);
    await eventually(async () => expect(await world.dialsOf(roomName)).toEqual({ dials: 1, rings: 1 }));
    const answer = await cancel(id, who);
    expect(answer).toEqual({ id, status: 'cancelled', cancelled: true });
    expect(await cancel(id, who)).toEqual(answer);
    await eventually(async () => expect(await world.rooms.rooms([roomName])).toEqual([]), {
      timeoutMs: 30_000,
    });
    await until(id, who, { status: 'cancelled', endedReason: 'cancelled_by_user', retryable: false });
    await eventually(() => expect(toldAbout(callId)).toEqual(['started', 'settled']));
  });

  it.concurrent('ends a conversation', async () => {
    const { who, quick } = organization();
    const { id } = await quick();
    const { roomName = '' } = await until(id, who, { status: 'in_progress' });
    await cancel(id, who);
    await eventually(async () => expect(await world.rooms.rooms([roomName ?? ''])).toEqual([]));
  });

  it.concurrent('is refused once the call has ended, and for calls of others as for unknown ones', async () => {
    const { who, quick } = organization();
    const { id } = await quick({ phoneNumber: '+14155550170' });
    await until(id, who, { status: 'busy' });
    await expect(cancel(id, who)).rejects.toEqual(code('CALL_NOT_CANCELLABLE'));
    const foreign = await cancel(id, ownerOf()).catch((error: unknown) => error);
    const unknown = await cancel(randomUUID(), who).catch((error: unknown) => error);
    expect(foreign).toEqual(code('OUTBOUND_CALL_NOT_FOUND'));
    expect(foreign).toEqual(unknown);
    await expect(get(id, ownerOf())).rejects.toEqual(unknown);
    await expect(retry(id, ownerOf())).rejects.toEqual(unknown);
  });
});

describe('an operator who ends a call', () => {
  const end = (outboundCallId: string, callId: string, who: Caller) =>
    world.ask(serviceRequests.outboundCallsEndAttempt, { body: { outboundCallId, callId } }, who);

  it.concurrent('that rings cancels it, and the callee is not called again although the campaign has a retry policy', async () => {
    const retryPolicy = { maxAttempts: 3, delaySeconds: 30, on: ['no_answer' as const, 'failed' as const] };
    const campaign = await importedCampaign(world, ['+14155550160'], { campaign: { retryPolicy } });
    const [id = ''] = campaign.callIds;
    const { who } = campaign;
    const { roomName, callId } = attemptIds(id, 1);
    await eventually(async () => expect(await world.dialsOf(roomName)).toEqual({ dials: 1, rings: 1 }));
    const { cancelledAt } = await end(id, callId, who);
    expect(cancelledAt).not.toBeNull();
    // The next step of calls-logs. The dial fails without its room, and the dialer deletes the room by itself as well.
    await world.rooms.deleteRoom(roomName);
    expect(await end(id, callId, who)).toEqual({ cancelledAt });
    const cut = { status: 'cancelled', outcome: 'cancelled', endedReason: 'operator_ended' };
    await eventually(() => expect(toldAbout(callId)).toEqual(['started', 'settled']));
    expect(await get(id, who)).toMatchObject({ ...cut, retryable: false, attempts: [cut] });
    await eventually(async () =>
      expect(
        await world.ask(contract.outboundCallsGetBatch, { params: { campaignId: campaign.id } }, who),
      ).toMatchObject({ status: 'completed', progress: { cancelled: 1, attempts: 1 } }),
    );
    // The error of the dial was there by then, and changed nothing.
    const { state } = await world.calls.load(id);
    expect(state).toMatchObject({ phase: 'ended', endedReason: 'operator_ended', hangUp: null });
  });

  it.concurrent('that was answered or is over has nothing cut off, and cannot end those of others', async () => {
    const { who, quick } = organization();
    const { id } = await quick();
    const { callId } = await until(id, who, { status: 'in_progress' });
    expect(await end(id, callId ?? '', who)).toEqual({ cancelledAt: null });
    expect(await get(id, who)).toMatchObject({ status: 'in_progress' });
    await expect(end(id, callId ?? '', ownerOf())).rejects.toEqual(code('OUTBOUND_CALL_NOT_FOUND'));
  });
});

describe('retrying', () => {
  it.concurrent('makes one attempt however many ask at once', async () => {
    const { who, quick } = organization();
    const { id } = await quick({ phoneNumber: '+14155550170' });
    await until(id, who, { status: 'busy' });
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => retry(id, who)));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const refused of asked)
      if (refused.status === 'rejected')
        expect(refused.reason.code).toMatch(/^(CALL_NOT_RETRYABLE|CONFLICT)$/);
    await until(id, who, { status: 'busy', attempt: 2, attempts: [{ status: 'busy' }, { status: 'busy' }] });
  });

  it.concurrent('whose answer was lost and who asks again when the attempt is over is granted nothing more', async () => {
    const { who, agentId, quick } = organization();
    const { id } = await quick({ phoneNumber: '+14155550170' });
    await until(id, who, { status: 'busy' });
    const commandId = randomUUID();
    await retry(id, who, commandId);
    const over = await until(id, who, { status: 'busy', attempt: 2 });
    world.agents.delete(agentId);
    expect(await retry(id, who, commandId)).toMatchObject({ status: 'busy', callId: over.callId });
    await expect(get(id, who)).resolves.toEqual(over);
  });

  it.concurrent('takes the configuration of today', async () => {
    const { who, agentId, quick } = organization();
    const { id } = await quick({ phoneNumber: '+14155550170' });
    await until(id, who, { status: 'busy' });
    const agent = world.agents.get(agentId);
    if (agent) world.agents.set(agentId, { ...agent, configVersion: 9 });
    const commandId = randomUUID();
    expect(await retry(id, who, commandId)).toMatchObject({ attempt: 2 });
    expect(await retry(id, who, commandId)).toMatchObject({ attempt: 2 });
    const again = await until(id, who, { status: 'busy', attempt: 2 });
    await eventually(() =>
      expect(world.told.find(({ data }) => data.callId === again.callId)?.data).toMatchObject({
        configVersion: 9,
      }),
    );
  });

  it.concurrent('is refused for a call that went well', async () => {
    const { who, agentId, quick } = organization();
    const { id } = await quick();
    const answered = await until(id, who, { status: 'in_progress' });
    await expect(retry(id, who)).rejects.toEqual(code('CALL_NOT_RETRYABLE'));
    await world.tellEnd(endOf(answered), agentId, who.organizationId);
    await until(id, who, { status: 'completed' });
    await expect(retry(id, who)).rejects.toEqual(code('CALL_NOT_RETRYABLE'));
  });
});

describe('what other services ask', () => {
  it.concurrent('is how attempts stand, and how many calls of an agent are open', async () => {
    const { who, agentId, quick } = organization();
    const { id } = await quick({ phoneNumber: '+14155550170' });
    const { callId = '' } = await until(id, who, { status: 'busy' });
    const facts = (asking: Caller) =>
      world.ask(
        serviceRequests.outboundCallsAttemptFacts,
        { body: { callIds: [callId ?? '', 'other'] } },
        asking,
      );
    await eventually(async () => expect(await facts(who)).toMatchObject([{ callId, status: 'busy' }]));
    expect(await facts(ownerOf())).toEqual([]);
    const reported = async (organizationId: string) => {
      const other = randomUUID();
      await world.requestAttempts(organizationId, [callId ?? '', other]);
      return eventually(() => {
        const reports = world.told
          .filter(({ name }) => name === events.attemptsReported.name)
          .map(({ data }) => events.attemptsReported.data.parse(data));
        const report = reports.find(({ unknownCallIds }) => unknownCallIds.includes(other));
        if (report === undefined) throw new Error('not reported yet');
        return { attempts: report.attempts, unknown: report.unknownCallIds.length };
      });
    };
    expect(await reported(who.organizationId)).toMatchObject({
      attempts: [{ callId, status: 'busy', endedReason: 'busy' }],
      unknown: 1,
    });
    expect(await reported(ownerOf().organizationId)).toEqual({ attempts: [], unknown: 2 });
    const open = () => world.ask(serviceRequests.outboundCallsOpenCountOfAgent, { body: { agentId } }, who);
    await eventually(async () => expect(await open()).toEqual({ open: 0 }));
    await quick();
    await eventually(async () => expect(await open()).toEqual({ open: 1 }));
  });
});
