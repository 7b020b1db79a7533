// `node dist/main.js rebuild [<read model>]` and `replay [<read model>]`: the same commands in a service's own container,
// with its own variables.
import type { EnvSource } from '@parlance/config';
import type { EventSourcedService } from './event-sourced-service.js';
import { describeFailure } from './failures.js';
import { rebuildCommand, replayCommand, type Workplace } from './read-model-commands.js';
import type { Output } from './terminal.js';

export interface ServiceMainHost {
  readonly args: readonly string[];
  readonly variables: EnvSource;
  readonly output: Output;
  readonly errors: Output;
}

const commands = {
  rebuild: async (place: Workplace, id: string): Promise<boolean> => {
    await rebuildCommand(place, id);
    return true;
  },
  replay: replayCommand,
};

/**
 * Does what the arguments ask for, of one read model or of all.
 * @returns the exit status, or undefined when nothing but the service itself is asked for
 */
export const runServiceCommand = async (
  service: EventSourcedService,
  { args, variables, output, errors }: ServiceMainHost,
): Promise<number | undefined> => {
  const [name, id] = args;
  if (name !== 'rebuild' && name !== 'replay') return undefined;
  const place = { services: [service], variablesOf: () => variables, output };
  const ids = id === undefined ? service.readModels.map((readModel) => readModel.id) : [id];
  try {
    let isDone = true;
    for (const each of ids) isDone = (await commands[name](place, each)) && isDone;
    return isDone ? 0 : 1;
  } catch (error) {
    errors.write(`${describeFailure(error)}\n`);
    return 1;
  }
};
