// npm run tour: an agent with a tool and a document calls two hundred people of a spreadsheet. Then it checks every call.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Credentials, localPlatform } from './sign-in.js';
import type { Phones } from './simulated-phones.js';
import { tour } from './tour.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const here = fileURLToPath(new URL('../', import.meta.url));
const simulatedPeople = resolve(here, 'people.csv');
const telephones = resolve(here, 'telephones.csv');

const stateFile = resolve(root, '.parlance', 'platform.json');

const help = `npm run tour -- [options]

A first campaign on the running platform: makes an agent, gives it a tool and a document, buys a number, uploads a
spreadsheet, calls everybody in it and shows what became of each. The people that come with the tour have simulated phones
of this machine, and ask for the tool and the document.

  --file <csv|xlsx>   people to call (default: examples/tour/people.csv, 200 simulated phones)
  --real-media        calls 50 telephones on the wire, of a platform that was started with npm start -- --real-media
  --from <number>     number to call from (default: the first that is owned, or a new one)
  --minutes <n>       how long the campaign may take (default: 15)
  --url <address>     the platform (default: the one started here with npm start)
  --email, --password who signs in (default: the first user of that platform)
  --help              this text
`;

const { values } = parseArgs({
  options: {
    'real-media': { type: 'boolean', default: false },
    file: { type: 'string' },
    from: { type: 'string' },
    minutes: { type: 'string', default: '15' },
    url: { type: 'string' },
    email: { type: 'string' },
    password: { type: 'string' },
    help: { type: 'boolean' },
  },
});

const credentials = (): Credentials => {
  const local = localPlatform(stateFile);
  const [url, email, password] = [
    values.url ?? local.url,
    values.email ?? local.email,
    values.password ?? local.password,
  ];
  if (url && email && password) return { url, email, password };
  throw new Error(
    'no platform to tour: run `npm start` in another terminal first, or give --url, --email and --password',
  );
};

const phones = (): Phones | undefined => {
  if (values.file !== undefined) return undefined;
  const { isRealMedia = false } = localPlatform(stateFile);
  const wanted = values['real-media'];
  if (values.url === undefined && wanted !== isRealMedia)
    throw new Error(
      wanted
        ? 'the platform simulates its telephones: start it with `npm start -- --real-media`'
        : 'the telephones of the platform are real ones: use `npm run tour -- --real-media`',
    );
  return wanted ? 'wire' : 'simulated';
};

const minutes = (): number => {
  const given = Number(values.minutes);
  if (!(given > 0)) throw new Error('--minutes takes a number above 0');
  return given;
};

const run = async (): Promise<void> => {
  const known = phones();
  // A platform elsewhere does not reach the practice of this machine.
  const practice = values.url === undefined ? localPlatform(stateFile).practice : undefined;
  const people = known === 'wire' ? telephones : simulatedPeople;
  const { faults } = await tour({
    credentials: credentials(),
    file: values.file === undefined ? people : resolve(values.file),
    ...(known === undefined ? {} : { phones: known }),
    ...(practice === undefined ? {} : { practice }),
    ...(values.from === undefined ? {} : { fromNumber: values.from }),
    ledger: resolve(root, '.parlance', 'ledger.jsonl'),
    limitMs: minutes() * 60_000,
  });
  for (const fault of faults) console.error(`WRONG: ${fault}`);
  console.log(
    faults.length === 0
      ? '\nThe tour is over; everything was as it should be.'
      : '\nThe tour found something wrong.',
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
};

if (values.help) {
  console.log(help);
} else {
  await run().catch((error: unknown) => {
    console.error(`The tour could not go on: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  });
}
