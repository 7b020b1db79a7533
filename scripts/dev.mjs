// npm run dev [service ...]: the platform, with services that are replaced after each edit of their sources.
import { parseArgs } from 'node:util';
import { help, sourceFolders } from './lib/dev-help.mjs';
import { build, install, root } from './lib/prepare.mjs';

const refuse = (message) => {
  console.error(message);
  process.exit(2);
};

const parse = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        port: { type: 'string' },
        'data-dir': { type: 'string' },
        help: { type: 'boolean' },
      },
    });
  } catch (error) {
    return refuse(`${error.message}\n\n${help(root)}`);
  }
};

const { values, positionals } = parse();
if (values.help) {
  console.log(help(root));
  process.exit(0);
}
const folders = sourceFolders(root);
const names = Object.keys(folders);
for (const name of positionals)
  if (!names.includes(name)) refuse(`There is no service "${name}". Name one of: ${names.join(', ')}.`);
const port = values.port === undefined ? undefined : Number(values.port);
if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536))
  refuse(`--port takes a number up to 65535, not "${values.port}".`);

// Before the long work: npm may be killed meanwhile.
const parent = process.env.npm_lifecycle_event === undefined ? undefined : process.ppid;
await install();
build();
const { dev } = await import('../sandbox/start/dist/programs/dev.js');
const sources = positionals.length === 0 ? names : positionals;
await dev({
  root: root.replace(/\/$/, ''),
  sources: sources.map((name) => ({ name, folder: folders[name] })),
  dataDir: values['data-dir'],
  port,
  parent,
});
