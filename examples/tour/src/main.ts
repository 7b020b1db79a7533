// npm run tour: an agent with a tool and a document calls two hundred people of a spreadsheet. Then it checks every call.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { settingOf } from './setting.js';
import { localPlatform, refuseAbsent } from './sign-in.js';
import { tour } from './tour.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const here = fileURLToPath(new URL('../', import.meta.url));
const simulatedPeople = resolve(here, 'people.csv');
const telephones = resolve(here, 'telephones.csv');

const help = `npm run tour -- [options]

Runs a first campaign on the running platform: creates an agent with a tool and a document, buys a number, uploads a
spreadsheet, calls everyone in it and shows the outcome of each call. The recipients that come with the tour have simulated
phones on this machine, and their questions need the tool and the document.

  --file <csv|xlsx>   recipients (default: examples/tour/people.csv, 200 simulated phones)
  --real-media        calls 50 SIP telephones; the platform must run with npm start -- --real-media
                      --scripted-agent
  --from <number>     number to call from (default: the first one of the organization, or a new one)
  --minutes <n>       time limit of the campaign (default: 15)
  --data-dir <path>   data folder of npm start (default: .parlance)
  --url <address>     another platform, with --email and --password; what its phones saw cannot be checked
  --email, --password account to sign in with (default: the first user of the platform)
  --help              show this help
`;

const { values } = parseArgs({
  options: {
    'real-media': { type: 'boolean', default: false },
    file: { type: 'string' },
    from: { type: 'string' },
    minutes: { type: 'string', default: '15' },
    'data-dir': { type: 'string', default: '.parlance' },
    url: { type: 'string' },
    email: { type: 'string' },
    password: { type: 'string' },
    help: { type: 'boolean' },
  },
});

const minutes = (): number => {
  const given = Number(values.minutes);
  if (!(given > 0)) throw new Error('--minutes takes a number above 0');
  return given;
};

const run = async (): Promise<void> => {
  const limitMs = minutes() * 60_000;
  const { credentials, phones, practice, ledger } = settingOf(
    values,
    localPlatform(resolve(root, values['data-dir'])),
  );
  await refuseAbsent(credentials.url);
  const people = values['real-media'] ? telephones : simulatedPeople;
  const { faults, unchecked } = await tour({
    credentials,
    practice,
    ledger,
    limitMs,
    file: values.file === undefined ? people : resolve(values.file),
    ...(phones === undefined ? {} : { phones }),
    ...(values.from === undefined ? {} : { fromNumber: values.from }),
  });
  for (const fault of faults) console.error(`WRONG: ${fault}`);
  for (const one of unchecked) console.log(`Not checked: ${one}`);
  const good =
    unchecked.length === 0
      ? 'everything was as it should be'
      : 'everything that was checked was as it should be';
  console.log(faults.length === 0 ? `\nThe tour is over; ${good}.` : '\nThe tour found something wrong.');
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
