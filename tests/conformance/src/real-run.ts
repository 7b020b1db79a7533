// npm run conformance -- --real: meets every real engine of this machine, one after the other, and tells of each.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { containersCanRun } from './containers.js';
import { conforms, folderOf, type Meeting, meet } from './meet.js';
import { realEngines } from './real-engines.js';
import { detailsOf, lineOf, tableOf } from './report.js';

export interface RealRun {
  /** Only engines with these suites; all unless given. */
  readonly engines: readonly string[];
  readonly only?: string | undefined;
  readonly say: (text: string) => void;
}

/** Resolves with whether every engine that is there conforms. Logs of those that do not are kept. */
export const runReal = async ({ engines, only, say }: RealRun): Promise<boolean> => {
  const directory = await mkdtemp(join(tmpdir(), 'parlance-conformance-'));
  const containers = await containersCanRun();
  const chosen = realEngines.filter(({ engine }) => engines.length === 0 || engines.includes(engine));
  const meetings: Meeting[] = [];
  for (const engine of chosen) {
    const meeting = await meet(engine, { directory, containers, only });
    meetings.push(meeting);
    say(`${lineOf(meeting)}\n`);
    for (const detail of detailsOf(meeting)) say(`${detail}\n`);
    if (!conforms(meeting)) say(`  logs   ${folderOf(directory, engine)}\n`);
  }
  const passed = meetings.every(conforms);
  if (passed) await rm(directory, { recursive: true, force: true });
  say(`\n${tableOf(meetings)}\n`);
  return passed;
};
