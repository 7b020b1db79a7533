// npm run ops -- suppressions: the operator's list of numbers that no organization calls.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { baseEnv, cryptoEnv, type EnvSource, loadEnv } from '@parlance/config';
import { createPersonalData, Keyring, pgSubjectKeys } from '@parlance/crypto';
import { type ServiceCommand, type ServiceGiven, text, UsageError } from '@parlance/ops';
import type { Database } from '@parlance/postgres';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { z } from 'zod';
import { type HashNumbers, installationHashes } from '../personal-data/installation-hashes.js';
import {
  addToOperatorsList,
  removeFromOperatorsList,
  sourcesOfOperatorsList,
} from '../suppressions/operator-list.js';
import { where, withDatabase } from './with-database.js';

const Env = z.object({ ...baseEnv, ...cryptoEnv });

/** Numbers of one statement. */
const batch = 2_000;
const mostNamed = 10;

const hashesIn = (variables: EnvSource, db: Database): HashNumbers => {
  const { KEK_ID: id, KEK: key } = loadEnv(Env, variables);
  return installationHashes(
    createPersonalData({ keyring: new Keyring({ id, key }), store: pgSubjectKeys(db) }),
  );
};

/** The number in the first cell of a line; undefined for a line without one. */
const numberIn = (line: string): string | undefined => {
  const [cell = ''] = line.split(/[,;\t]/);
  const number = parsePhoneNumberFromString(cell.trim().replace(/^"|"$/g, ''));
  return number?.isPossible() === true ? number.number : undefined;
};

interface Lines {
  readonly numbers: readonly string[];
  /** Lines that hold no number, by their place in the file. */
  readonly unread: readonly number[];
}

/** A header is no number, and neither are comments and empty lines. */
async function* batchesOf(file: Readable): AsyncGenerator<Lines> {
  let [numbers, unread]: [string[], number[]] = [[], []];
  let place = 0;
  for await (const line of createInterface({ input: file, crlfDelay: Number.POSITIVE_INFINITY })) {
    place += 1;
    if (line.trim() === '' || line.startsWith('#')) continue;
    const number = numberIn(line);
    if (number !== undefined) numbers.push(number);
    else if (place > 1) unread.push(place);
    if (numbers.length === batch) {
      yield { numbers, unread };
      [numbers, unread] = [[], []];
    }
  }
  yield { numbers, unread };
}

const fileOf = (path: string, input: ServiceGiven['input']): Readable =>
  path === '-' ? (input as Readable) : createReadStream(path);

const importFile = async (
  db: Database,
  hashNumbers: HashNumbers,
  file: Readable,
  reason: string,
): Promise<string> => {
  let [read, added] = [0, 0];
  const unread: number[] = [];
  for await (const { numbers, unread: skipped } of batchesOf(file)) {
    unread.push(...skipped);
    if (numbers.length === 0) continue;
    read += numbers.length;
    added += await addToOperatorsList(db, { hashes: await hashNumbers(numbers), reason, at: new Date() });
  }
  const named = unread.slice(0, mostNamed).join(', ');
  const problems =
    unread.length === 0
      ? ''
      : `\n${unread.length} lines hold no number with a plus: ${named}${unread.length > mostNamed ? ' ...' : ''}`;
  return `${read} numbers read, ${added} of them new on the list (source: ${reason}).${problems}\n`;
};

const showSources = async (db: Database): Promise<string> => {
  const sources = await sourcesOfOperatorsList(db);
  if (sources.length === 0) return 'The list is empty.\n';
  const rows = sources.map(
    ({ reason, numbers, latest }) => `  ${String(numbers).padStart(10)}  ${latest.toISOString()}  ${reason}`,
  );
  return ['     numbers  last added                source', ...rows, ''].join('\n');
};

const requireReason = (values: Parameters<typeof text>[0], option: 'source' | 'reason'): string => {
  const given = text(values, option)?.trim();
  if (given === undefined || given === '' || given.length > 200)
    throw new UsageError(`--${option} is needed, with up to 200 characters: it stays in the history.`);
  return given;
};

const remove = async (
  db: Database,
  hashNumbers: HashNumbers,
  phoneNumber: string,
  reason: string,
): Promise<string> => {
  const number = numberIn(phoneNumber);
  if (number === undefined) throw new UsageError(`"${phoneNumber}" is not a number such as +14155550100.`);
  const removed = await removeFromOperatorsList(db, {
    hashes: await hashNumbers([number]),
    reason,
    at: new Date(),
  });
  return removed === 0 ? 'The number is not on the list.\n' : 'The number may be called again.\n';
};

export const suppressionsCommand: ServiceCommand = {
  summary: 'import or change the numbers that no organization calls',
  help: `npm run ops -- suppressions                                           prints how many numbers came from where
npm run ops -- suppressions import <file.csv> --source <text>          adds the numbers of a file; - reads standard input
npm run ops -- suppressions remove <number> --reason <text>            takes one number off

The numbers are never called by any organization, whatever their own lists say. Only keyed hashes of them are stored, so the list
cannot be printed. A file has one number with a plus in the first column of each line, as national registries deliver them; a
header, empty lines and lines that begin with # are skipped. Every change is kept for five years, with its source or reason.

${where} suppressions ...
`,
  options: { source: { type: 'string' }, reason: { type: 'string' } },
  run: async ({ positionals: [what, subject, ...more], values, output, input, variables }) => {
    if (more.length > 0 || (what !== undefined && subject === undefined))
      throw new UsageError('suppressions import <file.csv>, or suppressions remove <number>.');
    output.write(
      await withDatabase(variables, async (db) => {
        if (what === undefined || subject === undefined) return showSources(db);
        const hashNumbers = hashesIn(variables, db);
        if (what === 'import')
          return importFile(db, hashNumbers, fileOf(subject, input), requireReason(values, 'source'));
        if (what === 'remove') return remove(db, hashNumbers, subject, requireReason(values, 'reason'));
        throw new UsageError(`"${what}" is not known: suppressions import, or suppressions remove.`);
      }),
    );
    return true;
  },
};
