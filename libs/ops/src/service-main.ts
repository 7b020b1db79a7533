// The same commands in a service's own container, with its own variables: `node dist/main.js rebuild call-index`.
import type { EnvSource } from '@parlance/config';
import { type Command, type CommandHost, runCommand } from './command.js';
import { commands } from './commands.js';
import { erasuresCommand } from './erasures-command.js';
import type { EventSourcedService } from './event-sourced-service.js';
import { commandsOf } from './service-commands.js';

const names: Readonly<Record<string, Command>> = {
  rebuild: commands['es:rebuild'],
  replay: commands['es:replay'],
  cat: commands['es:cat'],
  trace: commands.trace,
  erasures: erasuresCommand(),
};

export interface ServiceMainHost extends Omit<CommandHost, 'services' | 'find'> {
  readonly variables: EnvSource;
}

/** @returns the exit status, or undefined when nothing but the service itself is asked for */
export const runServiceCommand = async (
  service: EventSourcedService,
  { variables, args: [name = '', ...args], ...host }: ServiceMainHost,
): Promise<number | undefined> => {
  const command = names[name] ?? commandsOf(service)[name];
  if (command === undefined) return undefined;
  const installation = { variablesOf: () => variables, logs: [] };
  return runCommand(command, { ...host, args, services: [service], find: () => installation });
};
