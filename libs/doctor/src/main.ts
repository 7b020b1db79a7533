// The command of the image: looks from where the process of this container stands.
import { checks } from './checks/index.js';
import { runDoctor } from './command.js';
import { checksOfServices, placeOf } from './places.js';

const root = new URL('../../../', import.meta.url);
const all = [...checks, ...(await checksOfServices(root))];
process.exit(
  await runDoctor({
    args: process.argv.slice(2),
    checks: all,
    places: () => [placeOf(root, process.env, all)],
    output: process.stdout,
    errors: process.stderr,
  }),
);
