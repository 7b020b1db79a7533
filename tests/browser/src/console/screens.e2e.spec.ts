// Every screen of the console: its looks, and its words about records of others. The routes of the page are the list: a new
// screen without an address here fails.
import { expect, it } from '@jest/globals';
import { eventually } from '@parlance/fixtures';
import type { Page } from 'playwright-core';
import {
  type ConsoleVisit,
  describeConsole,
  desk,
  expectQuiet,
  inTheConsole,
  type Person,
} from '../testing/console-world.js';
import { allowedBy, controlsOf, isOfRole, menuOf } from '../testing/controls.js';
import { type FullOrganization, makeFullOrganization } from '../testing/full-organization.js';
import { emptyStatesOf, faultsOf, goTo, type Look, routesOf, untilShown } from '../testing/screens.js';

const minutes = 60_000;

/** Screens of people who are not signed in. */
const guestRoutes = ['/sign-in', '/sign-up', '/set-up', '/account/reset-password', '/account/invitation'];

/** Empty states whose next step stands elsewhere on the screen, by their titles: the name of that control. */
const stepsElsewhere: Readonly<Record<string, string>> = {
  'No invitation waits for an answer.': 'Invite somebody',
  'Choose where the number is from': 'Search',
};

/** Records that can be deleted and have a screen, by its route: where the interface has them. The agent goes last. */
const deletable: Readonly<Record<string, string>> = {
  '/calls/$callId': '/calls',
  '/widgets/$widgetId': '/widgets',
  '/mcp-servers/$connectionId': '/mcp/connections',
  '/tools/$toolId': '/tools',
  '/agents/$agentId': '/agents',
};

/** The screen tells nothing of the record, leads back, and has no error to report. */
const expectNoSuchRecord = async (page: Page, address: string): Promise<void> => {
  await goTo(page, address);
  const main = page.getByRole('main');
  await main.getByRole('heading', { name: /^There is no such / }).waitFor();
  expect(await main.innerText()).not.toMatch(/Donaudampf|Front desk|a_tool_with|4155550100/);
  // Above the title, and below the words.
  await eventually(async () => expect(await main.getByRole('link').count()).toBe(2));
  expect(await page.getByRole('alert').count()).toBe(0);
};

const nameOf = (address: string, route: string): string => {
  const { searchParams } = new URL(address, 'http://localhost');
  const part = searchParams.get('tab') ?? (searchParams.has('open') ? 'open' : undefined);
  const words = route.replaceAll('$', '').split('/').filter(Boolean);
  return [...(words.length === 0 ? ['overview'] : words), ...(part === undefined ? [] : [part])].join('-');
};

type Addresses = FullOrganization['addresses'];

/**
 * Each screen is judged in every size and in every color scheme, with records and without any. The walk with records and the one
 * without take the looks in turn, so that the frame that they share is judged in each look once.
 */
const looksWithRecords: readonly Look[] = [
  { size: 'desk', colorScheme: 'dark' },
  { size: 'phone', colorScheme: 'light' },
];
const looksWithoutRecords: readonly Look[] = [
  { size: 'desk', colorScheme: 'light' },
  { size: 'phone', colorScheme: 'dark' },
];

const world = inTheConsole();

describeConsole('every screen', () => {
  let made: Promise<FullOrganization> | undefined;
  const full = (): Promise<FullOrganization> => {
    made ??= makeFullOrganization(world());
    return made;
  };

  /** Accepts an invitation of the owner, in the browser. */
  const joinAs = async (role: string, owner: Person): Promise<ConsoleVisit> => {
    const guest = await world().person('Grace');
    const { id } = await world().askAuth<{ id: string }>(owner, '/organization/invite-member', {
      ...{ email: guest.email, role },
    });
    const visitor = await world().openAs(guest, `/account/invitation#${id}`);
    await visitor.page.getByRole('button', { name: 'Join' }).click();
    return visitor;
  };

  /** The permissions of the person who is signed in. */
  const permissionsOf = (page: Page): Promise<readonly string[]> =>
    page.evaluate(async () => {
      const answer = await fetch('/api/v1/caller');
      return ((await answer.json()) as { data: { permissions: readonly string[] } }).data.permissions; // as the contract declares it
    });

  /**
   * Goes to every address as this role, and compares the offered actions with those that the interface allows.
   * @param look at the screen, once it is there
   */
  const walkAs = async (
    role: string,
    visitor: ConsoleVisit,
    addresses: Addresses,
    look: (address: string, route: string) => Promise<void> = async () => {},
  ): Promise<void> => {
    const { page } = visitor;
    const refused: string[] = [];
    visitor.context.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const isAllowed = await allowedBy(world().platform.api, role, await permissionsOf(page));
    const wrong: string[] = [];
    const seen = new Set<string>();
    for (const [route, list] of Object.entries(addresses))
      for (const address of list) {
        await goTo(page, address);
        for (const { operation, reason } of [...(await controlsOf(page)), ...(await menuOf(page))]) {
          seen.add(operation);
          const isOffered = !isOfRole(reason);
          if (isOffered !== isAllowed(operation))
            wrong.push(`${nameOf(address, route)}: ${operation} is ${isOffered ? 'offered' : 'missing'}`);
        }
        await look(address, route);
      }
    expect(wrong).toEqual([]);
    // Nothing was asked that a screen may not ask for this role.
    expect(refused).toEqual([]);
    // The attribute is there, on controls of many subjects.
    expect(seen.size).toBeGreaterThan(20);
    await expectQuiet(visitor);
  };

  it(
    'is well made with records that are hard to show, and offers the owner every action that the interface allows',
    async () => {
      const { person, addresses } = await full();
      const visitor = await world().openAs(person, '/');
      const { page } = visitor;
      await untilShown(page);
      expect([...Object.keys(addresses), ...guestRoutes].sort()).toEqual(await routesOf(page));
      const faults: string[] = [];
      await walkAs('owner', visitor, addresses, async (address, route) => {
        faults.push(...(await faultsOf(page, nameOf(address, route), looksWithRecords)));
        await page.setViewportSize(desk.viewport);
      });
      expect(faults).toEqual([]);
      await visitor.leave();
    },
    8 * minutes,
  );

  it(
    'is well made in an organization that has nothing yet, and names the next step',
    async () => {
      const person = await world().person();
      const visitor = await world().openAs(person, '/');
      const { page } = visitor;
      await untilShown(page);
      const faults: string[] = [];
      let empty = 0;
      const look = async (address: string, route: string): Promise<void> => {
        await goTo(page, address);
        const name = `${nameOf(address, route)}-empty`;
        faults.push(...(await faultsOf(page, name, looksWithoutRecords)));
        for (const { title, ways } of await emptyStatesOf(page)) {
          empty += 1;
          const elsewhere = stepsElsewhere[title];
          const isThere =
            elsewhere !== undefined && (await page.getByRole('button', { name: elsewhere }).count()) > 0;
          if (ways.length === 0 && !isThere) faults.push(`${name}: “${title}” names no next step`);
        }
      };
      const lists = (await routesOf(page)).filter(
        (route) => !route.includes('$') && !guestRoutes.includes(route),
      );
      for (const route of lists) await look(route, route);
      // The first agent has nothing attached.
      const { id } = await world().ask<{ id: string }>(person, '/agents', {
        ...{ name: 'Front desk', isActive: true, templateId: 'business' },
      });
      for (const tab of ['versions', 'try', 'tools', 'knowledge', 'mcp', 'numbers'])
        await look(`/agents/${id}?tab=${tab}`, '/agents/$agentId');
      await look(`/knowledge?agent=${id}`, '/knowledge/of-agent');
      await look(`/widgets?agent=${id}`, '/widgets/of-agent');
      expect(faults).toEqual([]);
      expect(empty).toBeGreaterThan(15);
      await expectQuiet(visitor);
      await visitor.leave();
    },
    6 * minutes,
  );

  it(
    'is well made for people who are not signed in',
    async () => {
      const visitor = await world().open('/sign-in');
      await untilShown(visitor.page);
      const faults: string[] = [];
      for (const route of guestRoutes) {
        await goTo(visitor.page, route);
        const looks = [...looksWithRecords, ...looksWithoutRecords];
        faults.push(...(await faultsOf(visitor.page, nameOf(route, route), looks)));
      }
      expect(faults).toEqual([]);
      await expectQuiet(visitor);
      await visitor.leave();
    },
    2 * minutes,
  );

  it.each(['viewer', 'member', 'admin'])(
    'offers the role %s the actions that the interface allows, and none that it would refuse',
    async (role) => {
      const { person: owner, addresses } = await full();
      const visitor = await joinAs(role, owner);
      await walkAs(role, visitor, addresses);
      await visitor.leave();
    },
    4 * minutes,
  );

  it(
    'says that there is no such record to somebody of another organization, and of a deleted one to its own, with a way back',
    async () => {
      const { person: owner, addresses } = await full();
      const idIn = (route: string): string =>
        new URL(addresses[route]?.[0] ?? '', 'http://localhost').pathname.split('/').at(-1) ?? '';
      const agentId = idIn('/agents/$agentId');
      const [source] = await world().ask<readonly { id: string }[]>(owner, `/kb?agentId=${agentId}`);
      /** Screens whose address names a record otherwise. */
      const about = [
        ...['/knowledge', '/widgets', '/widgets/new'].map((path) => `${path}?agent=${agentId}`),
        `/knowledge?edit=${source?.id}`,
      ];
      const visitor = await world().openAs(await world().person('Mallory'), '/');
      await untilShown(visitor.page);
      const records = Object.entries(addresses).filter(([route]) => route.includes('$'));
      expect(records.length).toBeGreaterThan(5);
      for (const [, [address = '']] of records) await expectNoSuchRecord(visitor.page, address);
      for (const address of about) await expectNoSuchRecord(visitor.page, address);
      await expectQuiet(visitor);
      await visitor.leave();

      const own = await world().openAs(owner, '/');
      await untilShown(own.page);
      // An agent with an unfinished campaign is kept.
      await world().ask(owner, `/outbound-calls/batches/${idIn('/campaigns/$campaignId')}/cancel`, {});
      await world().remove(owner, `/kb/${source?.id}`);
      for (const [route, path] of Object.entries(deletable))
        await eventually(() => world().remove(owner, `${path}/${idIn(route)}`));
      const deleted = Object.keys(deletable).map((route) => addresses[route]?.[0] ?? '');
      for (const address of [...deleted, ...about]) await expectNoSuchRecord(own.page, address);
      await expectQuiet(own);
      await own.leave();
      await (await full()).stop();
    },
    2 * minutes,
  );
});
