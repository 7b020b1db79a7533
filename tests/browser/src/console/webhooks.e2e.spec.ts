// A message to a webhook that was given up is found and sent again.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import {
  type ConsoleWorld,
  describeConsole,
  expectQuiet,
  expectWellMade,
  inTheConsole,
  type Person,
} from '../testing/console-world.js';

interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly tries: number;
}

/** A system of a customer: it says that it is gone, until it is told to accept. */
const startReceiver = async () => {
  let status = 410;
  const types: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const message = JSON.parse(Buffer.concat(chunks).toString()) as { type: string }; // a message of the platform
      if (status === 200) types.push(message.type);
      response.writeHead(status, { 'content-type': 'text/plain' }).end(status === 200 ? 'thank you' : 'no');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/calls`,
    accept: (): void => {
      status = 200;
    },
    /** Types of the messages that it took. */
    taken: (): readonly string[] => types,
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
};

/** An agent with a webhook, and a call that it has made. */
const callWith = async (world: ConsoleWorld, person: Person, url: string): Promise<void> => {
  const { id: agentId } = await world.ask<{ id: string }>(person, '/agents', {
    ...{ name: 'Front desk', isActive: true, templateId: 'business' },
  });
  const config = await world.ask<Record<string, unknown>>(person, `/agents/${agentId}/config`);
  const { agentId: _, version: __, createdAt: ___, updatedAt: ____, extra: _____, ...settings } = config;
  await world.ask(person, `/agents/${agentId}/config`, {
    ...settings,
    post_call_webhook: { url, events: ['call.ended'] },
  });
  const fromNumber = await world.buyNumber(person);
  // A telephone that hangs up at once.
  await world.ask(person, '/outbound-calls/quick', {
    ...{ agentId, phoneNumber: '+14155550198', fromNumber },
  });
};

const patienceMs = 60_000;

const world = inTheConsole();

describeConsole('somebody whose system was away', () => {
  it(
    'sees the message that was given up and why, tests the webhook, and sends the message again',
    async () => {
      const person = await world().person();
      const receiver = await startReceiver();
      const deliveries = () => world().ask<readonly Delivery[]>(person, '/webhooks/deliveries');
      const visitor = await world().openAs(person, '/webhooks');
      const { page } = visitor;
      await page.getByText('No message yet').waitFor();
      await callWith(world(), person, receiver.url);
      await eventually(
        async () => expect(await deliveries()).toMatchObject([{ type: 'call.ended', status: 'failed' }]),
        { timeoutMs: patienceMs },
      );
      await page.getByRole('row', { name: /Call ended Given up/ }).waitFor();
      await page.reload();
      await page.getByLabel('State').selectOption('delivered');
      await page.getByText('No message fits these filters.').waitFor();
      await page.getByLabel('State').selectOption('failed');

      await page.getByRole('button', { name: 'Send a test message' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Send', exact: true }).click();
      await dialog.getByText('This is needed.').waitFor();
      await dialog.getByLabel('Agent').selectOption({ label: 'Front desk' });
      await dialog.getByRole('button', { name: 'Send', exact: true }).click();
      await dialog.getByText(/did not take the message/).waitFor();
      await dialog.getByText(/Status 410/).waitFor();
      receiver.accept();
      await dialog.getByRole('button', { name: 'Send', exact: true }).click();
      await dialog.getByText(/took the message/).waitFor();
      await dialog.getByText('thank you').waitFor();
      expect(receiver.taken()).toEqual(['webhook.test']);
      await expectWellMade(page, 'webhooks-test');
      await page.keyboard.press('Escape');

      await page.getByRole('link', { name: 'Call ended' }).click();
      await dialog.getByRole('row', { name: /Status 410/ }).waitFor();
      await dialog.getByText(/Nothing is sent to this address since/).waitFor();
      await page.waitForURL(({ searchParams }) => searchParams.has('open'));
      const id = new URL(page.url()).searchParams.get('open') ?? '';
      await dialog.getByRole('button', { name: 'Send again' }).click();
      await page.getByText('The message is sent again.').waitFor();
      await eventually(
        async () => expect(await deliveries()).toMatchObject([{ id, status: 'delivered', tries: 2 }]),
        { timeoutMs: patienceMs },
      );
      expect(receiver.taken()).toEqual(['webhook.test', 'call.ended']);
      await page.goto(`${world().platform.url}/webhooks`);
      await page.getByRole('row', { name: /Call ended Delivered/ }).waitFor();
      await expectQuiet(visitor);
      await visitor.leave();
      await receiver.stop();
    },
    3 * patienceMs,
  );
});
