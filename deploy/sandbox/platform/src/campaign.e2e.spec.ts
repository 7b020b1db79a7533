// The main job, end to end: a number bought, a spreadsheet uploaded, everybody called, and every place that tells of it in
// agreement with the ledger of what the simulated phones heard. The same as `npm run tour`, with fewer people.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silent, tour } from '@parlance/tour';
import { type RunningPlatform, runPlatform } from './testing/running-platform.js';

const people = fileURLToPath(new URL('../../../../examples/tour/people.csv', import.meta.url));
/** One or two of every kind; all but the one whose outcome takes more than a minute to be given up as unknown. */
const endings = [
  '00',
  '01',
  '02',
  '30',
  '58',
  '60',
  '70',
  '71',
  '80',
  '85',
  '90',
  '94',
  '95',
  '97',
  '98',
  '99',
];

/** Every part, simulated or not, has to take these from the environment: with two values no call would be answered. */
const ofTheEnvironment = {
  INTERNAL_API_KEY: 'an internal key that the environment sets',
  CALLER_SIGNING_KEY: 'a signing key that the environment sets',
  LIVEKIT_API_SECRET: 'a media secret that the environment sets',
  TWILIO_AUTH_TOKEN: 'a provider token that the environment sets',
  VOICE_AGENT_NAME: 'a-name-of-the-environment',
};

let platform: RunningPlatform;
beforeAll(async () => {
  platform = await runPlatform({ RATE_LIMIT_READ_PER_MINUTE: '100000', ...ofTheEnvironment });
}, 240_000);
afterAll(() => platform?.remove(), 30_000);

describe('a first campaign', () => {
  it('calls everybody once, sums at every look, and is told alike by log, transcripts, dashboard and ledger', async () => {
    const [header = '', ...rows] = readFileSync(people, 'utf8').trim().split('\n');
    const chosen = rows.filter((row) => endings.some((ending) => row.startsWith(`+141555501${ending}`)));
    const file = join(platform.dataDir, 'people.csv');
    writeFileSync(file, [header, ...chosen].join('\n'));
    const { faults } = await tour({
      credentials: { url: platform.url, email: platform.demo.email, password: platform.demo.password },
      file,
      isSimulated: true,
      ledger: join(platform.dataDir, 'ledger.jsonl'),
      limitMs: 180_000,
      narrator: silent,
    });
    expect(chosen).toHaveLength(endings.length);
    expect(faults).toEqual([]);
  }, 240_000);
});
