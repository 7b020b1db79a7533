// README.md's first steps and its first campaign by hand, word for word, against the platform as `npm start` runs it.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Answered,
  blocksBetween,
  canType,
  commandsIn,
  type Fill,
  ReadmeWalk,
} from './testing/readme-walk.js';
import { type RunningPlatform, runPlatform } from './testing/running-platform.js';

/** A field of the last answer, such as `data.0.quoteId`. */
const field =
  (path: string): Fill =>
  (answers) => {
    let value: unknown = answers.at(-1)?.body;
    for (const name of path.split('.'))
      value =
        typeof value === 'object' && value !== null
          ? Object.entries(value).find(([key]) => key === name)?.[1]
          : undefined;
    return typeof value === 'string' ? value : undefined;
  };

/** The call behind the outbound call, once that has ended: its transcript comes afterwards. */
const endedCall: Fill = (answers) =>
  field('data.status')(answers) === 'completed' ? field('data.callId')(answers) : undefined;

const fills: Readonly<Record<string, Fill>> = {
  KEY: field('key'),
  AGENT: field('data.id'),
  FROM: field('data.0.phoneNumber'),
  QUOTE: field('data.0.quoteId'),
  OUTBOUND: field('data.id'),
  CALL: endedCall,
  UPLOAD_URL: field('data.uploadUrl'),
  FILE: field('data.sourceFileKey'),
  CAMPAIGN: field('data.id'),
};

let platform: RunningPlatform;
let walk: ReadmeWalk;
let typed: boolean;

beforeAll(async () => {
  typed = await canType();
  if (!typed) {
    process.stderr.write('README.md is not typed: there is no bash or no curl on this machine\n');
    return;
  }
  platform = await runPlatform();
  walk = new ReadmeWalk(platform.url, fills);
}, 240_000);
afterAll(async () => {
  walk?.remove();
  await platform?.remove();
}, 30_000);

const refused = (answers: readonly Answered[]) =>
  answers.filter(({ status }) => !(status >= 200 && status < 300));

describe('README.md', () => {
  it('says nothing that does not work: its first steps, its first call and its first campaign', async () => {
    if (!typed) return;
    const first = blocksBetween('First steps with curl', 'Your first campaign in five minutes');
    const campaign = blocksBetween('Your first campaign in five minutes', 'How it is built');
    expect([first.length, campaign.length]).toEqual([2, 1]);
    const answers: Answered[] = [];
    for (const block of [...first, ...campaign]) answers.push(...(await walk.type(block)));
    expect(refused(answers)).toEqual([]);
    // Every command was typed and answered.
    expect(answers).toHaveLength(commandsIn([...first, ...campaign]));
    expect(walk.value('FROM')).toMatch(/^\+1415\d{7}$/);
    expect(answers.at(-1)?.body).toMatchObject({ data: { id: walk.value('CAMPAIGN'), status: 'cancelled' } });
    const bodies = answers.map(({ body }) => body);
    // What the simulated person and the agent said to each other.
    expect(bodies).toContainEqual(
      expect.objectContaining({ data: expect.arrayContaining([expect.objectContaining({ role: 'agent' })]) }),
    );
  }, 240_000);
});
