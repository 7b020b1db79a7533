// npm run doctor: looks at the platform that npm start runs, or at the one in the environment. See libs/doctor.

import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, install, root } from './lib/prepare.mjs';

await install();
build();
const { checks, checksOfServices, hasPlace, placeOf, runDoctor } = await import(
  '../libs/doctor/dist/index.js'
);
const { doctorPlaces } = await import('../sandbox/start/dist/index.js');
const rootUrl = pathToFileURL(`${root}/`);
const all = [...checks, ...(await checksOfServices(rootUrl))];

process.exit(
  await runDoctor({
    args: process.argv.slice(2),
    checks: all,
    places: (dataDir) =>
      dataDir === undefined && hasPlace(process.env, all)
        ? [placeOf(rootUrl, process.env, all)]
        : doctorPlaces(resolve(root, dataDir ?? '.parlance')),
    output: process.stdout,
    errors: process.stderr,
  }),
);
