// parlance-mcp: started by an MCP client, which talks to it over standard input and output.

import { explain } from '../failures.js';
import { readSettings } from '../settings.js';
import { runBridge } from './bridge.js';

const help = `parlance-mcp: the MCP server of a Parlance platform, over standard input and output

MCP clients start this program themselves. It forwards messages between the client and /mcp of the platform, which enforces the
permissions of the key.

Environment:
  PARLANCE_URL       URL of the platform, such as http://127.0.0.1:4700
  PARLANCE_API_KEY   API key of your organization

Options:
  --help             show this help

From a terminal, use "npm run mcp -- --help" instead.
`;

const tell = (sentence: string): void => {
  process.stderr.write(`parlance-mcp: ${sentence}\n`);
};

const [argument] = process.argv.slice(2);
if (argument === '--help' || argument === '-h') process.stdout.write(help);
else if (argument !== undefined) {
  tell(`there is no option ${argument}.\n\n${help}`);
  process.exitCode = 2;
} else {
  try {
    const settings = readSettings(process.env);
    await runBridge({ ...settings, input: process.stdin, output: process.stdout, tell });
  } catch (error) {
    tell(explain(error));
    process.exitCode = 1;
  }
}
