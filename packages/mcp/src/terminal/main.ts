// npm run mcp -- ...
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { explain } from '../failures.js';
import { Mendable, readSettings } from '../settings.js';
import { TerminalClient } from './terminal.js';

const help = `npm run mcp -- COMMAND: a small MCP client for the terminal

  list                                    tools and resources
  call TOOL [--arg NAME=VALUE ...]        calls a tool; with --json '{...}' all arguments at once
  read ADDRESS                            reads a resource, such as parlance://list_agents

Options of call:
  --arg NAME=VALUE     one argument, as often as needed
  --json OBJECT        all arguments
  --confirm TOKEN      does what an earlier call has asked to confirm
  --yes                confirms without asking

Environment:
  PARLANCE_URL         address of the platform; the one of "npm start" unless set
  PARLANCE_API_KEY     an API key; the one that "npm start" made unless set

  npm run mcp -- call create-agent --arg name="Front desk" --arg isActive=true --arg templateId=business
`;

const options = {
  arg: { type: 'string', multiple: true },
  json: { type: 'string' },
  confirm: { type: 'string' },
  yes: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

const folder = fileURLToPath(new URL('../../../../.parlance', import.meta.url));

const askPerson = async (question: string): Promise<boolean> => {
  const keyboard = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await keyboard.question(`${question} [y/N] `)).trim());
  } finally {
    keyboard.close();
  }
};

const askerFor = (yes: boolean | undefined) => {
  if (yes) return async () => true;
  return process.stdin.isTTY ? askPerson : undefined;
};

const parse = () => {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new Mendable(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
  }
};

const run = async (): Promise<void> => {
  const { values, positionals } = parse();
  const [command, target] = positionals;
  if (values.help || command === undefined) {
    process.stdout.write(help);
    return;
  }
  const isKnown = command === 'list' || ((command === 'call' || command === 'read') && target !== undefined);
  if (!isKnown) throw new Mendable(`"${positionals.join(' ')}" is no command.\n\n${help}`);
  const print = (text: string): void => void process.stdout.write(`${text}\n`);
  const terminal = { print, ask: askerFor(values.yes) };
  const client = await TerminalClient.connect(readSettings(process.env, folder), terminal);
  try {
    if (command === 'list') await client.list();
    if (command === 'read' && target !== undefined) await client.read(target);
    if (command === 'call' && target !== undefined)
      await client.call(target, { json: values.json, pairs: values.arg ?? [], token: values.confirm });
  } finally {
    await client.close();
  }
};

// A reader such as `head` has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  await run();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
