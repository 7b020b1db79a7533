// The website widget in Chromium, on pages of another origin with a strict Content-Security-Policy, against the whole platform.
import { afterAll, beforeAll, describe } from '@jest/globals';
import { findLiveKitRooms } from '@parlance/engines';
import { demonstration } from './cases/demonstration.js';
import { looking } from './cases/looking.js';
import { talking } from './cases/talking.js';
import { writing } from './cases/writing.js';
import { hasChromium } from './page/chromium.js';
import { WidgetWorld } from './testing/widget-world.js';

const hasVoice = findLiveKitRooms() !== undefined;
if (!hasVoice) process.stderr.write('livekit-server: not installed, no visitor talks in the browser\n');

(hasChromium() ? describe : describe.skip)('on a website', () => {
  let world: WidgetWorld;
  beforeAll(async () => {
    world = await WidgetWorld.start();
  }, 240_000);
  afterAll(() => world?.stop(), 60_000);

  demonstration(() => world);
  writing(() => world);
  looking(() => world);
  if (hasVoice) talking(() => world);
});
