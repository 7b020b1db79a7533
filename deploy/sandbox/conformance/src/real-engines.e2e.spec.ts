// The stand-ins are held to the real engines: where containers can be run, the same suites run against those too.
import { describe, expect, it } from '@jest/globals';
import { getContainerRuntimeClient } from 'testcontainers';
import { realEngines, startReal } from './containers.js';
import { runSuites } from './suites.js';

const answers = async (): Promise<boolean> => {
  try {
    await getContainerRuntimeClient();
    return true;
  } catch {
    return false;
  }
};

const docker = await answers();
if (!docker)
  process.stderr.write(
    'No Docker engine answers here: the conformance suites run against the stand-ins only.\n',
  );

describe('the conformance suite', () => {
  for (const engine of realEngines) {
    (docker ? it : it.skip)(
      `of ${engine.engine} passes the real one`,
      async () => {
        const { container, variables } = await startReal(engine);
        try {
          const { engine: name, only } = engine;
          const { passed, output } = await runSuites({ engines: [name], variables, only, quiet: true });
          expect(passed ? '' : output).toBe('');
        } finally {
          await container.stop();
        }
      },
      600_000,
    );
  }
});
