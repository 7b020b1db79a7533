// npm run dev [service ...]: the platform, with services that are replaced after each edit of their sources.
import { parseArgs } from 'node:util';
import { help } from './lib/dev-help.mjs';
import { preflight } from './lib/preflight.mjs';
import { build, install, root } from './lib/prepare.mjs';
import { processesIn } from './lib/registry.mjs';

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
const all = processesIn(root);
const names = all.map(({ name }) => name);
for (const name of positionals)
  if (!names.includes(name)) refuse(`There is no service "${name}". Name one of: ${names.join(', ')}.`);

// Before the long work: npm may be killed meanwhile.
const parent = process.env.npm_lifecycle_event === undefined ? undefined : process.ppid;
await preflight(root, values.port === undefined ? [] : ['--port', values.port]);
await install();
build();
const { dev } = await import('../sandbox/start/dist/programs/dev.js');
await dev({
  root: root.replace(/\/$/, ''),
  sources: all.filter(({ name }) => positionals.length === 0 || positionals.includes(name)),
  dataDir: values['data-dir'],
  port: values.port === undefined ? undefined : Number(values.port),
  parent,
});
