// MCP servers: connected, their tools approved and given to agents, a changed tool looked at, a login, disconnected.
import { expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import { startMcpServerWithLogin, startMisbehavingMcpServer } from '@parlance/tests-e2e';
import {
  describeConsole,
  expectQuiet,
  expectWellMade,
  inTheConsole,
  type Person,
} from '../testing/console-world.js';

interface Connection {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly agentIds: readonly string[];
  readonly tools: readonly {
    readonly name: string;
    readonly hash: string;
    readonly approvedHash: string | null;
    readonly offered: boolean;
  }[];
}

const world = inTheConsole();

describeConsole('somebody with an MCP server', () => {
  const connections = (person: Person) => world().ask<readonly Connection[]>(person, '/mcp/connections');

  it('connects it, approves a tool and its change, gives it to an agent, and disconnects it', async () => {
    const server = await startMisbehavingMcpServer();
    const person = await world().person();
    const agent = await world().ask<{ id: string }>(person, '/agents', {
      ...{ name: 'Front desk', isActive: true, templateId: 'business' },
    });
    const visitor = await world().openAs(person, '/mcp-servers');
    const { page } = visitor;
    await page.getByText('No MCP server is connected').waitFor();
    await page.getByRole('heading', { name: 'DeepWiki' }).waitFor();
    await page.getByRole('link', { name: 'Connect your own server' }).first().click();
    await page.getByLabel('Name').fill('Shop');
    await page.getByLabel('Address').fill(server.url('changing-tools'));
    await expectWellMade(page, 'mcp-connect');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
    const [first] = (await connections(person))[0]?.tools ?? [];
    const name = first?.name ?? '';
    const row = page.getByRole('row', { name: new RegExp(`^${name}`) });
    await row.getByText('Waits for approval').waitFor();

    const openTool = async (): Promise<void> => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Look and approve' }).click();
    };
    const dialog = page.getByRole('dialog', { name: `Approve the tool ${name}?` });
    await openTool();
    await dialog.getByRole('region', { name: 'Definition' }).waitFor();
    await dialog.getByRole('button', { name: 'Approve it as it is now' }).click();
    await row.getByText('Offered', { exact: true }).waitFor();
    expect((await connections(person))[0]?.tools[0]).toMatchObject({
      approvedHash: first?.hash,
      offered: true,
    });

    // The server tells other definitions at each look: an approved tool is offered no more, until a person has seen the change.
    await page.getByRole('button', { name: 'Read the tools again' }).click();
    await row.getByText('Changed since approval').waitFor();
    await openTool();
    const difference = dialog.getByRole('region', { name: 'Changes since the last approval' });
    await difference.getByText('added').first().waitFor({ state: 'attached' });
    await eventually(async () => expect(await difference.textContent()).toContain('removed'));
    await expectWellMade(page, 'mcp-changed-tool');
    await dialog.getByRole('button', { name: 'Approve it as it is now' }).click();
    await row.getByText('Offered', { exact: true }).waitFor();
    const [approved] = (await connections(person))[0]?.tools ?? [];
    expect(approved?.hash).not.toBe(first?.hash);
    expect(approved).toMatchObject({ approvedHash: approved?.hash, offered: true });

    await page.getByRole('checkbox', { name: 'Front desk may use it' }).click();
    await eventually(async () => expect((await connections(person))[0]?.agentIds).toEqual([agent.id]));
    await page.getByText('Front desk has its tools from the next call on.').waitFor();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('No MCP server is connected').waitFor();
    expect(await connections(person)).toEqual([]);
    await expectQuiet(visitor);
    await visitor.leave();
    await server.stop();
  });

  it('logs in at a server that wants a person, and the page sees by itself when it is done', async () => {
    const server = await startMcpServerWithLogin();
    const person = await world().person();
    const visitor = await world().openAs(person, '/mcp-servers/connect');
    const { page } = visitor;
    await page.getByLabel('Name').fill('Notes');
    await page.getByLabel('Address').fill(server.url);
    await page.getByLabel('The server wants').selectOption('oauth2');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('Needs a login').waitFor();
    await page.getByRole('button', { name: 'Log in at the server' }).click();
    const link = page.getByRole('dialog', { name: 'Log in at Notes' }).getByRole('link', {
      name: 'Open the login',
    });
    await link.waitFor();
    await expectWellMade(page, 'mcp-login');
    const back = await server.signIn((await link.getAttribute('href')) ?? '', { login: 'ada' });
    const tab = await visitor.context.newPage();
    await tab.goto(back.href);
    await tab.getByText('The connection is authorized').waitFor();
    await tab.close();
    await page.getByText('The connection is authorized.').waitFor();
    await page.getByRole('row', { name: /whoami/ }).waitFor();
    expect(await connections(person)).toMatchObject([{ name: 'Notes', status: 'connected' }]);
    await visitor.leave();
    await server.stop();
  });
});
