// Organizations that are being removed or were removed, with the service as it runs. The broker, database and event
// store are real, and phones ring.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Caller, contract, serviceRequests } from '@parlance/contracts';
import { eventually, tellRemoval } from '@parlance/fixtures';
import { ownerOf } from '@parlance/fixtures/service';
import type { RunningService } from '@parlance/observability';
import { noteNumber } from '../campaigns/campaign-numbers.js';
import { attemptIds } from '../domain/outbound-call/attempt-ids.js';
import { stepMeta } from '../repositories/outbound-call-repository.js';
import {
  type DialingWorld,
  importedCampaign,
  numbersEnding,
  startDialingWorld,
} from '../testing/dialing-world.js';
import { placed } from '../testing/histories.js';
import { code, endOf, quickCallsOf } from '../testing/quick-calls.js';
import { remainsIn } from '../testing/remains.js';

let world: DialingWorld;
let dialer: RunningService;

beforeAll(async () => {
  world = await startDialingWorld();
  // The service is down while phones ring, as after a kill.
  dialer = await world.startDialer({ DIALS_FINISH_WITHIN_SECONDS: '0' });
});
afterAll(async () => {
  await dialer?.stop();
  await world?.remove();
});

const { organization, until } = quickCallsOf(() => world);
const { outboundCallsCloseOrganization, outboundCallsReopenOrganization } = serviceRequests;
const close = (who: Caller, removalId: string = randomUUID()) =>
  world.ask(outboundCallsCloseOrganization, { body: { removalId } }, who);
const nextYear = new Date(Date.now() + 365 * 86_400_000).toISOString();
const note = (who: Caller, campaignId: string) =>
  noteNumber(
    world.db,
    { campaignId, organizationId: who.organizationId, phoneNumber: '+14155550142' },
    new Date(),
  );
const rowsOf = async ({ organizationId }: Caller): Promise<number> => {
  let rows = 0;
  for (const table of [
    'campaign_recipients',
    'campaign_refused_rows',
    'suppressions',
    'organization_settings',
    'campaign_numbers',
    'call_slots',
  ])
    rows += (await world.db.query(`select 1 from ${table} where organization_id = $1`, [organizationId]))
      .rowCount;
  return rows;
};

describe('an organization that is being removed', () => {
  it('begins no call, and its calls are counted: one at the same moment is one or the other', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { who, agentId, quick } = organization();
      const removalId = randomUUID();
      const placing = quick().catch((error: unknown) => error);
      const { outboundCalls, campaigns } = await close(who, removalId);
      const outcome = await placing;
      expect(campaigns).toBe(0);
      if (outboundCalls === 0) expect(outcome).toEqual(code('CONFLICT'));
      else expect(outcome).toMatchObject({ status: 'queued', agentId });
      await expect(quick()).rejects.toEqual(code('CONFLICT'));
      await world.ask(outboundCallsReopenOrganization, { body: { removalId } }, who);
      expect((await quick()).status).toBe('queued');
    }
  });

  it('counts a call until it has ended, and refuses to try an ended one again', async () => {
    const { who, agentId, quick } = organization();
    const { id } = await quick({ phoneNumber: '+14155550101' });
    expect(await close(who)).toEqual({ campaigns: 0, outboundCalls: 1 });
    const answered = await until(id, who, { status: 'in_progress' });
    await world.tellEnd(
      endOf(answered, { status: 'busy', outcome: 'busy', endedReason: 'busy' }),
      agentId,
      who.organizationId,
    );
    await until(id, who, { status: 'busy' });
    await eventually(async () => expect((await close(who)).outboundCalls).toBe(0));
    const retried = world.ask(contract.outboundCallsRetry, { params: { outboundId: id } }, who);
    await expect(retried).rejects.toEqual(code('CONFLICT'));
  });

  it('counts a campaign from before it is created until it has ended, and begins none', async () => {
    const who = ownerOf();
    const campaignId = randomUUID();
    await note(who, campaignId);
    expect((await close(who)).campaigns).toBe(1);
    await expect(note(who, randomUUID())).rejects.toEqual(code('CONFLICT'));
    const other = ownerOf();
    const { id } = await importedCampaign(world, numbersEnding(0, 0, 2), {
      who: other,
      campaign: { scheduledAt: nextYear },
    });
    await note(other, id);
    expect((await close(other)).campaigns).toBe(1);
    await world.ask(contract.outboundCallsCancelBatch, { params: { campaignId: id } }, other);
    // Counted at once, because the stream decides and not the read model.
    expect((await close(other)).campaigns).toBe(0);
  });
});

describe('an organization that was removed while the dialer was down', () => {
  it('has nothing dialled any more, and its calls and data are cancelled and deleted, though told twice', async () => {
    const { who, quick } = organization();
    // Rings for twenty seconds.
    const call = await quick({ phoneNumber: '+14155550194' });
    const campaign = await importedCampaign(world, numbersEnding(0, 0, 3), {
      who,
      campaign: { scheduledAt: nextYear },
    });
    await note(who, campaign.id);
    await world.db.query(
      `insert into campaign_refused_rows (campaign_id, organization_id, row_number, phone_number, code, message)
       values ($1, $2, 9, 'none', 'INVALID_PHONE', 'row 9: is not a phone number')`,
      [campaign.id, who.organizationId],
    );
    const suppressed = { body: { phoneNumbers: ['+14155550177'] } };
    await world.ask(contract.suppressionsCreate, suppressed, who);
    expect(await rowsOf(who)).toBeGreaterThan(4);
    await dialer.stop();
    await tellRemoval(world.nats, who.organizationId);
    dialer = await world.startDialer();
    await eventually(async () => expect(await rowsOf(who)).toBe(0), { timeoutMs: 60_000 });
    await until(call.id, who, { status: 'cancelled', endedReason: 'cancelled_by_user' });
    expect(
      (await world.db.query('select from campaigns where organization_id = $1', [who.organizationId]))
        .rowCount,
    ).toBe(0);
    const params = { params: { campaignId: campaign.id } };
    expect(await world.ask(contract.outboundCallsGetBatch, params, who)).toMatchObject({
      status: 'cancelled',
    });
    await expect(quick()).rejects.toEqual(code('CONFLICT'));
    await expect(world.ask(contract.suppressionsCreate, suppressed, who)).rejects.toEqual(code('CONFLICT'));
    expect((await organization().quick()).status).toBe('queued');
  });

  it('has a call that it had placed abandoned by the look before the dial, before anything is cleared away', async () => {
    const { who, agentId } = organization();
    const { organizationId } = who;
    await dialer.stop();
    const id = randomUUID();
    const now = new Date().toISOString();
    await world.calls(
      id,
      {
        type: 'PlaceCall',
        placed: { ...placed.data, organizationId, agentId, placedAt: now },
        personal: { ...placed.personal, phoneNumber: '+14155550101' },
      },
      stepMeta(organizationId, id, 'PlaceCall', now),
    );
    await world.db.query(
      `insert into organization_closures (organization_id, removal_id, state, next_clearing_at)
       values ($1, $2, 'removed', 'infinity')`,
      [organizationId, randomUUID()],
    );
    dialer = await world.startDialer();
    await until(id, who, { status: 'cancelled', endedReason: 'cancelled_by_user' });
    expect(await world.dialsOf(attemptIds(id, 1).roomName)).toEqual({ dials: 0, rings: 0 });
  });

  it('keeps the course of its calls and campaigns in their streams, and nothing that names a person', async () => {
    const { who, quick } = organization();
    const { organizationId } = who;
    const phoneNumber = '+14155559970';
    const { id } = await quick({ phoneNumber, username: 'Grace Removed' });
    const campaign = await importedCampaign(world, ['+14155559971'], {
      who,
      campaign: { scheduledAt: nextYear },
    });
    await until(id, who, { status: 'busy' });
    const suppressed = { phoneNumbers: [phoneNumber], reason: 'Grace Removed wrote to us' };
    await world.ask(contract.suppressionsCreate, { body: suppressed }, who);
    await tellRemoval(world.nats, organizationId);
    const rows = async () =>
      (await world.db.query('select from outbound_calls where organization_id = $1', [organizationId]))
        .rowCount;
    await eventually(async () => expect(await rows()).toBe(0), { timeoutMs: 30_000 });
    await eventually(async () =>
      expect(await remainsIn(world.db, [phoneNumber, '+14155559971', 'Grace Removed'])).toEqual([]),
    );
    const subjects = [`outboundCall-${id}`, `campaign-${campaign.id}`, `outboundNumbers-${organizationId}`];
    await eventually(async () => {
      const { rows: keys } = await world.db.query<{ subject: string }>(
        'select subject from personal_keys where subject = any($1) and wrapped_key is null order by subject',
        [subjects],
      );
      expect(keys.map(({ subject }) => subject)).toEqual(subjects.toSorted());
    });
    expect((await world.calls.load(id)).state).toMatchObject({ phase: 'ended', personal: null });
    const { rows: facts } = await world.db.query(
      'select change, source, actor, reason from suppression_facts where organization_id = $1',
      [organizationId],
    );
    expect(facts).toEqual([{ change: 'added', source: 'request', actor: 'user:u1', reason: null }]);
  });
});
