// The stand-ins are held to the real engines. The suites run against each real engine that this machine has, installed or
// in a container. Nothing is required to be there; an engine that is not is told in one line.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { containersCanRun } from './containers.js';
import { conforms, findServer, meet } from './meet.js';
import { realEngines } from './real-engines.js';
import { detailsOf, lineOf } from './report.js';

const containers = await containersCanRun();
const engines = realEngines.filter(({ leftOutOfTests }) => leftOutOfTests === undefined);
for (const { title, leftOutOfTests } of realEngines)
  if (leftOutOfTests !== undefined) process.stderr.write(`${title}: left out here, ${leftOutOfTests}\n`);
const present = new Set<string>();
for (const engine of engines) {
  if (await findServer(engine, containers)) present.add(engine.title);
  else process.stderr.write(`${lineOf({ engine, state: 'absent' })}\n`);
}

describe('the conformance suite', () => {
  for (const engine of engines) {
    (present.has(engine.title) ? it : it.skip)(
      `of ${engine.engine} passes the real one: ${engine.title}`,
      async () => {
        const directory = await mkdtemp(join(tmpdir(), 'parlance-conformance-'));
        try {
          const meeting = await meet(engine, { directory, containers });
          process.stderr.write(`${lineOf(meeting)}\n`);
          expect(conforms(meeting) ? '' : [lineOf(meeting), ...detailsOf(meeting)].join('\n')).toBe('');
        } finally {
          await rm(directory, { recursive: true, force: true });
        }
      },
      600_000,
    );
  }
});
