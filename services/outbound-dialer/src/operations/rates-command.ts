// npm run ops -- rates: shows the rates that are in force, and replaces them.
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { systemIds } from '@parlance/observability';
import { type ServiceCommand, type ServiceGiven, UsageError } from '@parlance/ops';
import { importRates } from '../ledger/import-rates.js';
import { RateFileError, readRates } from '../ledger/rate-file.js';
import { builtInDate, type KnownRates, knownRates, rateTable } from '../ledger/rates.js';
import { amountOf } from '../limits/amounts.js';
import { where, withDatabase } from './with-database.js';

const numbered = ({ rates }: Pick<KnownRates, 'rates'>): string =>
  `${rates.size.toLocaleString('en')} rate${rates.size === 1 ? '' : 's'}`;

/** The table in the form that `rates import` takes, with comments. */
const asFile = (known: KnownRates): string => {
  const { currency, rates, importedAt } = known;
  const origin =
    importedAt === null ? `built in, as of ${builtInDate}` : `imported at ${importedAt.toISOString()}`;
  const highest = amountOf(rateTable(known).microsPerStartedMinute(''));
  const rows = [...rates].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    `# ${numbered(known)} per started minute, ${origin}.`,
    `# A number that starts with none of these prefixes costs ${highest} ${currency}.`,
    'prefix,currency,price',
    ...rows.map(([prefix, micros]) => `${prefix},${currency},${amountOf(micros)}`),
    '',
  ].join('\n');
};

const open = (path: string, input: ServiceGiven['input']): Readable =>
  // Standard input may be a file, a pipe or a terminal; all of them are readable streams.
  path === '-' ? (input as Readable) : createReadStream(path);

/** The operating system's code for a failure to read a file; undefined for any other failure. */
const systemCode = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && 'syscall' in error
    ? String(error.code)
    : undefined;

/** @throws Error that names the problems of the file */
const readFile = async (path: string, input: ServiceGiven['input']) => {
  try {
    return await readRates(open(path, input));
  } catch (error) {
    if (error instanceof RateFileError)
      throw new Error(`${path} was not imported; the rates in force stay as they are.\n${error.message}`);
    const code = systemCode(error);
    throw code === undefined ? error : new Error(`${path} cannot be read (${code}).`);
  }
};

export const ratesCommand: ServiceCommand = {
  summary: 'show or import what calls cost by destination',
  help: `npm run ops -- rates                    prints the rates in force, in the form in which they are imported
npm run ops -- rates import <file.csv>  replaces them, all or none; - reads standard input

What is reserved for a call before its dial is the rate of its destination times the longest the call may last. The file has
a row for each beginning of a number, and names its columns in the first row:

  prefix,currency,price
  49,EUR,0.03
  4915,EUR,0.18

The longest prefix of a number decides; a number with none of them costs as much as the dearest row. The price is that of a
started minute, with a point and at most six decimals. One file has one currency: the one in which your telephone providers
bill numbers and calls. Other columns are not looked at, and lines that begin with # are comments.

${where} rates ...
`,
  options: {},
  run: async ({ positionals: [what, path, ...more], output, input, variables }) => {
    if (what === undefined) {
      output.write(asFile(await withDatabase(variables, knownRates)));
      return true;
    }
    if (what !== 'import') throw new UsageError(`"${what}" is not known: rates, or rates import <file.csv>.`);
    if (path === undefined || more.length > 0)
      throw new UsageError('Which file? Give one, or - for standard input.');
    const read = await readFile(path, input);
    await withDatabase(variables, (db) => importRates(db, read, { id: systemIds.next(), now: new Date() }));
    output.write(
      `${numbered(read)} in ${read.currency} are in force. Calls in progress keep what was reserved for them.\n`,
    );
    return true;
  },
};
