// Calls: the first one that somebody places, those that go on, and the log of all of them.
import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import type { Page } from 'playwright-core';
import {
  type ConsoleWorld,
  describeConsole,
  expectQuiet,
  expectWellMade,
  inTheConsole,
  type Person,
  signIn,
} from '../testing/console-world.js';
import { playCall } from '../testing/played-runtime.js';

interface Outbound {
  readonly id: string;
  readonly status: string;
  readonly endedReason: string | null;
  readonly callId: string | null;
  readonly username: string | null;
  readonly attempts?: readonly { readonly status: string }[];
}
interface Call {
  readonly id: string;
  readonly status: string;
  readonly cost: { readonly totalMicros: number } | null;
}

const answers = '+14155550100';
/** Rings until the ringing time is over. */
const rings = '+14155550160';
const isBusy = '+14155550170';
const agentName = 'Front desk';
const slow = { timeoutMs: 60_000, intervalMs: 200 };
/** A busy machine takes its time for a whole call. */
const patient = { timeout: 60_000 };
/** Sooner than the clock would ask. */
const soon = { timeout: 12_000 };

interface Desk {
  readonly person: Person;
  readonly agentId: string;
  readonly fromNumber: string;
}

/** Somebody with an agent and a number to call from. */
const openDesk = async (world: ConsoleWorld): Promise<Desk> => {
  const person = await world.person();
  const { id: agentId } = await world.ask<{ id: string }>(person, '/agents', {
    ...{ name: agentName, isActive: true, templateId: 'business' },
  });
  return { person, agentId, fromNumber: await world.buyNumber(person) };
};

/** From now on the agent's calls are recorded. */
const record = async (world: ConsoleWorld, { person, agentId }: Desk): Promise<void> => {
  const path = `/agents/${agentId}/config`;
  const known = await world.ask<Readonly<Record<string, unknown>>>(person, path);
  const { agentId: _agent, version: _version, createdAt: _created, updatedAt: _updated, ...config } = known;
  await world.ask(person, path, { ...config, recording: { enabled: true, retentionDays: 30 } });
};

const place = (
  world: ConsoleWorld,
  { person, agentId, fromNumber }: Desk,
  phoneNumber: string,
  more: object = {},
): Promise<Outbound> =>
  world.ask(person, '/outbound-calls/quick', { agentId, fromNumber, phoneNumber, ...more });

const untilEnded = (world: ConsoleWorld, person: Person, id: string): Promise<Outbound> =>
  eventually(async () => {
    const call = await world.ask<Outbound>(person, `/outbound-calls/${id}`);
    expect(['completed', 'no_answer', 'busy', 'failed', 'cancelled']).toContain(call.status);
    return call;
  }, slow);

/** The call in the log, once its words and its cost are known. */
const untilPriced = async (world: ConsoleWorld, person: Person, outboundId: string): Promise<Call> => {
  const { callId } = await untilEnded(world, person, outboundId);
  return eventually(async () => {
    const call = await world.ask<Call>(person, `/calls/${callId}`);
    expect(call.cost).not.toBeNull();
    expect(await world.ask<readonly Call[]>(person, '/calls')).toContainEqual(
      expect.objectContaining({ id: call.id, status: 'completed' }),
    );
    return call;
  }, slow);
};

const filter = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });

const world = inTheConsole();

describeConsole('somebody who works with calls', () => {
  it.concurrent('places the first call, knows beforehand what it can cost, sees its outcome, words and cost, and listens to it', async () => {
    const counter = await openDesk(world());
    const { person, fromNumber } = counter;
    await record(world(), counter);
    const visitor = await world().openAs(person, '/calls');
    const { page } = visitor;
    await page.getByText('No call yet').waitFor();
    await page.getByRole('link', { name: 'Call somebody' }).first().click();
    await page.getByRole('heading', { name: 'Call somebody now' }).waitFor();
    // There is one agent and one number, so both are chosen.
    await page.getByText(/^At most \$/).waitFor();
    await page.getByRole('button', { name: 'Check and call' }).click();
    await page.getByText('This is needed.').waitFor();
    await page.getByLabel('Number to call').fill('+1 (415) 555-0100');
    await page.getByLabel('Name of the other party').fill('Grace Hopper');
    await page.getByText('A shorter call costs less.').waitFor();
    await expectWellMade(page, 'quick-call');
    await page.getByRole('button', { name: 'Check and call' }).click();
    const question = page.getByRole('dialog', { name: `Call Grace Hopper (${answers}) now?` });
    await question.getByText(`${agentName} calls Grace Hopper`).waitFor();
    await question.getByText(`from ${fromNumber}, at once. The call costs $3.00 at most.`).waitFor();
    await expectWellMade(page, 'quick-call-confirm');
    // No phone is called before the last question is answered.
    expect(await world().ask(person, '/outbound-calls')).toEqual([]);
    await question.getByRole('button', { name: 'Call now' }).click();

    await page.getByRole('heading', { name: 'Call to Grace Hopper (+14155550100)' }).waitFor();
    await page.getByText('Answered', { exact: true }).first().waitFor(patient);
    await expectWellMade(page, 'outbound-call');
    const [placed] = await world().ask<readonly Outbound[]>(person, '/outbound-calls');
    expect(placed).toMatchObject({ username: 'Grace Hopper', phoneNumber: answers, fromNumber });
    const call = await untilPriced(world(), person, String(placed?.id));
    const turns = await world().ask<readonly { text: string }[]>(person, `/calls/${call.id}/transcripts`);

    await page.getByRole('link', { name: 'Transcript and cost' }).click();
    await page.getByRole('heading', { name: `Call with ${answers}` }).waitFor();
    for (const { text } of turns.slice(0, 3)) await page.getByText(text, { exact: true }).first().waitFor();
    expect(turns.length).toBeGreaterThan(1);
    const player = page.getByLabel('Recording of the call');
    const playsAt = (): Promise<number> =>
      player.evaluate((element) => (element as unknown as { readonly currentTime: number }).currentTime);
    await page
      .getByRole('button', { name: /^Listen from / })
      .nth(1)
      .press('Enter');
    await eventually(async () => expect(await playsAt()).toBeGreaterThan(1), slow);
    // The turn that sounds is marked.
    await page.locator('li[aria-current=time]').waitFor();
    await player.press('Space');
    const total = new Intl.NumberFormat('en', {
      ...{ style: 'currency', currency: 'USD', maximumFractionDigits: 6 },
    }).format((call.cost?.totalMicros ?? 0) / 1_000_000);
    await page.getByRole('row', { name: `Total ${total}` }).waitFor();
    await page.getByText('Attempt 1 began: the number is dialled.').waitFor();
    await page.getByText(`The voice runtime handed over ${turns.length} turns.`).waitFor();
    await expectWellMade(page, 'call');
    await page.getByRole('row', { name: `Total ${total}` }).scrollIntoViewIfNeeded();
    await page.getByRole('img', { name: /^Shares of the cost: Telephone / }).waitFor();
    await expectQuiet(visitor, '/recordings/');
    await visitor.leave();
  });

  it('sees a call that rings, ends it after a question that names both ends, and reads along in another one', async () => {
    const counter = await openDesk(world());
    const visitor = await world().open('/live-calls');
    const { page } = visitor;
    const stream = page.waitForResponse((response) =>
      new URL(response.url()).pathname.endsWith('/events/stream'),
    );
    await signIn(page, counter.person);
    expect((await stream).status()).toBe(200);
    await page.getByText('No call goes on now').waitFor();
    const { id } = await place(world(), counter, rings, { ringingTimeoutSeconds: 180 });
    // The list is not asked anew by hand.
    const row = page.getByRole('row', { name: new RegExp(`\\${rings}`) });
    await row.waitFor(patient);
    await row.getByText('Ringing').waitFor();
    await expectWellMade(page, 'live-calls');
    await row.getByRole('button', { name: 'End call' }).click();
    const question = page.getByRole('dialog', {
      name: `End the call of ${agentName} with ${rings}?`,
    });
    await expectWellMade(page, 'live-calls-end');
    await question.getByRole('button', { name: 'End call' }).click();
    await page.getByText('No call goes on now').waitFor(patient);
    expect(await untilEnded(world(), counter.person, id)).toMatchObject({
      status: 'cancelled',
      endedReason: 'operator_ended',
    });

    // Words come by live events: beside them the clock asks only every 15 seconds.
    const talk = await playCall(world(), counter.person, counter.agentId);
    await page.getByRole('link', { name: 'Trial in the console' }).click(patient);
    await page.getByText('Words appear here as they are said.').waitFor();
    await talk.say('Good day. I am the front desk.');
    await page.getByText('Good day. I am the front desk.').waitFor(patient);
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    const timings = { endOfTurnMs: 350, recognitionMs: 250, firstTokenMs: 300, firstSoundMs: 100 };
    const fallback = { kind: 'llm', from: 'openai/gpt-4.1-mini', to: 'custom/llama', reason: 'timeout' };
    await talk.say('How may I help you?', { timings, model: 'custom/llama', fallbacks: [fallback] });
    await page.getByText('How may I help you?').waitFor(soon);
    await page.getByText(/by custom\/llama · .*custom\/llama in place of openai\/gpt-4.1-mini/).waitFor();
    await talk.say('Are you still there?', { model: null });
    await page.getByText('Are you still there?').waitFor(soon);
    await page.getByText('by rules').waitFor();
    expect(loads).toBe(0);
    await page.getByRole('img', { name: /^Answer 1: 1000 ms/ }).waitFor();
    await page.getByText('Show the numbers as a table').click();
    await page.getByRole('row', { name: 'Answer 1 350 ms 250 ms 300 ms 100 ms 1000 ms' }).waitFor();
    await expectWellMade(page, 'call-live');
    await eventually(async () =>
      expect(await page.getByRole('main').getByText('I am the front desk.').count()).toBe(1),
    );
    await expectQuiet(visitor);
    await visitor.leave();
  });

  it.concurrent('cancels a call that rings, and tries a busy one again', async () => {
    const counter = await openDesk(world());
    const busy = await place(world(), counter, isBusy);
    await untilEnded(world(), counter.person, busy.id);
    const ringing = await place(world(), counter, rings, { ringingTimeoutSeconds: 180 });
    const visitor = await world().openAs(counter.person, `/outbound-calls/${ringing.id}`);
    const { page } = visitor;
    await page.getByText('Dialling', { exact: true }).first().waitFor(patient);
    await page.getByRole('button', { name: 'Cancel the call' }).click();
    const question = page.getByRole('dialog', { name: `Cancel the call to ${rings}?` });
    await question.getByRole('button', { name: 'Cancel the call' }).click();
    await page.getByText('Cancelled', { exact: true }).first().waitFor(patient);
    expect(await untilEnded(world(), counter.person, ringing.id)).toMatchObject({ status: 'cancelled' });

    await page.getByRole('link', { name: 'Outbound calls' }).first().click();
    await page.getByRole('row', { name: new RegExp(`\\${isBusy}`) }).waitFor();
    await page.getByRole('button', { name: `Actions for ${isBusy}` }).click();
    await page.getByRole('menuitem', { name: 'Try again' }).click();
    await page.getByRole('dialog', { name: `Call ${isBusy} again now?` }).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click();
    await page.getByText(`${isBusy} is being called again.`).waitFor();
    await eventually(async () => {
      const call = await world().ask<Outbound>(counter.person, `/outbound-calls/${busy.id}`);
      expect(call).toMatchObject({ attempts: [{ status: 'busy' }, { status: 'busy' }] });
    }, slow);
    await expectQuiet(visitor);
    await visitor.leave();
  });

  it.concurrent('finds calls by filters that stand in the address, and deletes one', async () => {
    const counter = await openDesk(world());
    const { person } = counter;
    const placed = [await place(world(), counter, answers, { username: 'Ada' })];
    placed.push(await place(world(), counter, isBusy));
    await untilPriced(world(), person, String(placed[0]?.id));
    await untilEnded(world(), person, String(placed[1]?.id));
    const visitor = await world().openAs(person, '/calls');
    const { page } = visitor;
    const answered = page.getByRole('row', { name: new RegExp(`\\${answers}`) });
    const busy = page.getByRole('row', { name: new RegExp(`\\${isBusy}`) });
    await Promise.all([answered.waitFor(), busy.waitFor()]);
    await filter(page, 'Outcome').selectOption('busy');
    await answered.waitFor({ state: 'detached' });
    await busy.getByText('The line was busy.').waitFor();
    await page.waitForURL(({ searchParams }) => searchParams.get('outcome') === 'busy');
    await page.reload();
    await busy.waitFor();
    expect(await answered.count()).toBe(0);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await answered.waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export as CSV' }).click();
    const file = await readFile(await (await downloading).path(), 'utf8');
    expect(file.split('\r\n').join('\n').trimEnd().split('\n')).toHaveLength(3);
    // A spreadsheet would take a plus at the beginning for a formula.
    expect(file).toContain(`'${answers}`);
    await page.getByRole('searchbox').fill('0100');
    await busy.waitFor({ state: 'detached' });
    await answered.getByRole('link').click();
    await page.getByRole('heading', { name: `Call with ${answers}` }).waitFor();
    await page.waitForURL(/\/calls\/[^/?]+$/);
    const { pathname } = new URL(page.url());
    await page.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('dialog', {
      name: `Delete the call of ${agentName} with ${answers}?`,
    });
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText(`The call with ${answers} is deleted.`).waitFor();
    await answered.waitFor({ state: 'detached' });
    await page.goto(`${world().platform.url}${pathname}`);
    await page.getByRole('heading', { name: 'There is no such call' }).waitFor();
    await visitor.leave();
  });
});
