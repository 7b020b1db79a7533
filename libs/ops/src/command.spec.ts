import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { AppError } from '@parlance/errors';
import { type CommandHost, runCommand } from './command.js';
import { commands } from './commands.js';
import type { EventSourcedService, ServiceReadModel } from './event-sourced-service.js';
import { UsageError } from './failures.js';
import type { ServiceCommand } from './service-command.js';
import { runOperatorCommand } from './service-commands.js';
import { text } from './values.js';

const written = (stream: PassThrough): string => String(stream.read() ?? '');

const readModel = (id: string, change: Partial<ServiceReadModel> = {}): ServiceReadModel => ({
  id,
  tables: [],
  catchUp: async () => undefined,
  rebuild: async () => ({ events: 1_200, parked: 0, seconds: 2.04 }),
  replay: async () => [],
  ...change,
});

const service = (...readModels: readonly ServiceReadModel[]): EventSourcedService => ({
  service: 'calls-logs',
  categories: ['call'],
  readModels,
  withStreams: () => Promise.reject(new Error('not needed')),
});

const run = async (
  name: keyof typeof commands,
  args: readonly string[],
  services: readonly EventSourcedService[] = [service(readModel('call-index'), readModel('call-documents'))],
  find: CommandHost['find'] = () => ({ variablesOf: () => ({}), logs: [] }),
) => {
  const [output, errors] = [new PassThrough(), new PassThrough()];
  const host = { args, services, find, input: Readable.from([]), output, errors };
  const status = await runCommand(commands[name], host);
  return { status, output: written(output), errors: written(errors) };
};

describe('a command', () => {
  it('tells how it is called, without looking for a platform', async () => {
    const find = () => {
      throw new Error('looked');
    };
    for (const name of ['es:rebuild', 'es:replay', 'es:cat', 'trace'] as const) {
      const { status, output } = await run(name, ['--help'], [], find);
      expect(status).toBe(0);
      expect(output).toContain(`npm run ${name} -- <`);
      for (const line of output.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
    }
  });

  it('that was called wrongly says what is wrong, and what there is', async () => {
    expect(await run('es:rebuild', [])).toMatchObject({
      status: 2,
      errors: expect.stringMatching(
        /^Which one\?.*\n {2}call-index +calls-logs\n {2}call-documents +calls-logs\n/,
      ),
    });
    expect(await run('es:rebuild', ['calls'])).toMatchObject({
      status: 2,
      errors: expect.stringContaining('There is no read model "calls".'),
    });
    expect(await run('es:cat', ['call-1', '--limit', 'ten'])).toMatchObject({
      status: 2,
      errors: expect.stringContaining('--limit takes a whole number, not "ten".'),
    });
    expect(await run('es:cat', ['42'])).toMatchObject({
      status: 2,
      errors: expect.stringContaining('Did you mean call-42?'),
    });
    expect(await run('trace', ['r', '--nothing'])).toMatchObject({ status: 2 });
    expect(await run('trace', [])).toMatchObject({
      status: 2,
      errors: expect.stringContaining('X-Request-Id'),
    });
  });

  it('that does not find the platform says what to do', async () => {
    const find = () => {
      throw new Error('No platform runs here. Start it with npm start.');
    };
    expect(await run('es:rebuild', ['call-index'], undefined, find)).toMatchObject({
      status: 1,
      errors: 'No platform runs here. Start it with npm start.\n',
    });
  });

  it('rebuilds one read model or all of them, and says how long it took', async () => {
    const { status, output } = await run('es:rebuild', ['all']);
    expect(status).toBe(0);
    expect(output).toContain('call-index: made anew from 1,200 events in 2.0 s.');
    expect(output).toContain('call-documents: made anew');
  });

  it('that failed says so in a line or two, without a stack', async () => {
    const broken = readModel('call-index', {
      rebuild: () =>
        Promise.reject(
          new AppError('CONFLICT', { cause: new Error('another rebuild runs in this service') }),
        ),
    });
    expect(await run('es:rebuild', ['call-index'], [service(broken)])).toMatchObject({
      status: 1,
      errors: 'another rebuild runs in this service\nNothing was changed.\n',
    });
  });

  it('replays what was set aside, and fails when some of it still waits', async () => {
    const waiting = readModel('call-index', {
      replay: async () => [
        { stream: 'call-1', events: 3 },
        { stream: 'call-2', events: 0, failure: 'Error: cannot be' },
      ],
    });
    expect(await run('es:replay', ['call-index'], [service(waiting)])).toEqual({
      status: 1,
      output: 'call-1: 3 events applied\ncall-2: still waits, Error: cannot be\n',
      errors: '',
    });
    expect(await run('es:replay', ['call-index'])).toMatchObject({
      status: 0,
      output: 'call-index has nothing set aside.\n',
    });
  });
});

describe('the commands that services bring along', () => {
  const command = (change: Partial<ServiceCommand> = {}): ServiceCommand => ({
    summary: 'set how many',
    help: 'npm run ops -- many <n>\n',
    options: { of: { type: 'string' } },
    run: async ({ positionals, values, variables, output }) => {
      output.write(`${positionals[0]} ${text(values, 'of')} ${variables.HERE}\n`);
      return true;
    },
    ...change,
  });
  const operate = async (args: readonly string[], many = command()) => {
    const [output, errors] = [new PassThrough(), new PassThrough()];
    const services = [service(), { ...service(), commands: { many } }];
    const find = () => ({ variablesOf: () => ({ HERE: 'here' }), logs: [] });
    const status = await runOperatorCommand({
      args,
      services,
      find,
      input: Readable.from([]),
      output,
      errors,
    });
    return { status, output: written(output), errors: written(errors) };
  };

  it('get their arguments, and the variables of their service', async () => {
    expect(await operate(['many', '5', '--of', 'calls'])).toEqual({
      status: 0,
      output: '5 calls here\n',
      errors: '',
    });
    expect(await operate(['many', '--help'])).toMatchObject({ output: 'npm run ops -- many <n>\n' });
  });

  it('are listed when nothing is asked for, and when something is asked for that is not there', async () => {
    for (const args of [[], ['--help']])
      expect(await operate(args)).toMatchObject({
        status: 0,
        output: expect.stringMatching(/many +set how many/),
      });
    expect(await operate(['more'])).toMatchObject({
      status: 2,
      errors: expect.stringMatching(/There is no command "more"\.\n.*many +set how many/s),
    });
  });

  it('fail with a line, and tell a mistake in the call from a failure', async () => {
    const failing = (error: Error) => command({ run: () => Promise.reject(error) });
    expect(await operate(['many'], failing(new Error('away')))).toMatchObject({
      status: 1,
      errors: 'away\n',
    });
    expect(await operate(['many'], failing(new UsageError('how many?')))).toMatchObject({ status: 2 });
    expect(await operate(['many', '--off'])).toMatchObject({ status: 2 });
  });
});
