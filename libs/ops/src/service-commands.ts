// Commands that a service brings along, such as `limits` of the dialer: `npm run ops -- limits ...`, and in the service's own
// container `outbound-dialer limits ...`.
import { type Command, type CommandHost, type OperatorCommand, runCommand } from './command.js';
import { erasuresCommand } from './erasures-command.js';
import type { EventSourcedService } from './event-sourced-service.js';
import type { ServiceCommand } from './service-command.js';

/** The command, with the variables of its service. */
const bound = (service: EventSourcedService, command: ServiceCommand): Command => ({
  help: command.help,
  options: command.options,
  run: ({ positionals, values, input, place }) =>
    command.run({ positionals, values, input, output: place.output, variables: place.variablesOf(service) }),
});

/** The commands of one service, by name. */
export const commandsOf = (service: EventSourcedService): Readonly<Record<string, Command>> =>
  Object.fromEntries(
    Object.entries(service.commands ?? {}).map(([name, command]) => [name, bound(service, command)]),
  );

type OperatorCommands = Readonly<Record<string, OperatorCommand>>;

const ofEveryService: OperatorCommands = { erasures: erasuresCommand() };

const listOf = (services: readonly EventSourcedService[], more: OperatorCommands): string => {
  const all = [...services.map(({ commands = {} }) => commands), more].flatMap((own) => Object.entries(own));
  const width = Math.max(...all.map(([name]) => name.length));
  const lines = all.map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    'npm run ops -- <command> [options]',
    '',
    ...lines,
    '',
    'npm run ops -- <command> --help tells more.',
    '',
  ].join('\n');
};

/**
 * Runs the command that the first argument names.
 * @param others commands about the platform as a whole
 * @returns the exit status: 0 done, 1 failed, 2 called wrongly
 */
export const runOperatorCommand = async (
  host: CommandHost,
  others: OperatorCommands = {},
): Promise<number> => {
  const more = { ...ofEveryService, ...others };
  const [name = '--help', ...args] = host.args;
  if (name === '--help') {
    host.output.write(listOf(host.services, more));
    return 0;
  }
  const found = host.services.map((service) => commandsOf(service)[name]).find(Boolean) ?? more[name];
  if (found !== undefined) return runCommand(found, { ...host, args });
  host.errors.write(`There is no command "${name}".\n${listOf(host.services, more)}`);
  return 2;
};
