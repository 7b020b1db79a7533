// The console in Chromium, against the whole platform. Each subject has a file in cases/.
import { afterAll, beforeAll, describe } from '@jest/globals';
import { consoleAgent } from './cases/console-agent.js';
import { consoleAgents } from './cases/console-agents.js';
import { consoleBack } from './cases/console-back.js';
import { consoleBadDays } from './cases/console-bad-days.js';
import { consoleBuilding } from './cases/console-building.js';
import { consoleCalls } from './cases/console-calls.js';
import { consoleCampaigns } from './cases/console-campaigns.js';
import { consoleEntry } from './cases/console-entry.js';
import { consoleLongLists } from './cases/console-long-lists.js';
import { consoleMcp } from './cases/console-mcp.js';
import { consoleNewcomer } from './cases/console-newcomer.js';
import { consoleNumbers } from './cases/console-numbers.js';
import { consoleScreens } from './cases/console-screens.js';
import { consoleSettings } from './cases/console-settings.js';
import { consoleSpend } from './cases/console-spend.js';
import { consoleTeam } from './cases/console-team.js';
import { consoleWebhooks } from './cases/console-webhooks.js';
import { consoleWidgets } from './cases/console-widgets.js';
import { hasChromium } from './page/chromium.js';
import { ConsoleWorld } from './testing/console-world.js';

(hasChromium() ? describe : describe.skip)('in the console', () => {
  let world: ConsoleWorld;
  beforeAll(async () => {
    world = await ConsoleWorld.start();
  }, 240_000);
  afterAll(() => world?.stop(), 60_000);

  consoleEntry(() => world);
  consoleNewcomer(() => world);
  consoleAgents(() => world);
  consoleAgent(() => world);
  consoleBuilding(() => world);
  consoleSettings(() => world);
  consoleWebhooks(() => world);
  consoleCampaigns(() => world);
  consoleNumbers(() => world);
  consoleTeam(() => world);
  consoleWidgets(() => world);
  consoleMcp(() => world);
  consoleSpend(() => world);
  consoleCalls(() => world);
  consoleBack(() => world);
  consoleLongLists(() => world);
  consoleBadDays(() => world);
  consoleScreens(() => world);
});
