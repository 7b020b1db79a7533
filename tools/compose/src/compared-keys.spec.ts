import { expect, it } from '@jest/globals';
import { comparedKeys } from '@parlance/config';
import { processes } from './processes.js';
import { variablesOf } from './variables.js';

/** Secrets that copies need not compare, and why. */
const exempt: Readonly<Record<string, string>> = {
  CALLER_PRIVATE_KEY: 'belongs to the public key of the process, which is compared',
  CALLER_SIGNING_KEY_PREVIOUS: 'opens what is on its way, and signs nothing',
  KEK_OTHERS: 'seals nothing, and each key in it is compared under its name',
  QUOTE_KEY_PREVIOUS: 'opens what is on its way, and signs nothing',
  WEBHOOK_SIGNING_KEY_PREVIOUS: 'signs beside the key that is compared',
  SETUP_CODE: 'lets in the first account alone',
  LIVEKIT_API_SECRET: 'the media server refuses another one',
};
/** An engine or a provider refuses a wrong one. */
const credentials = /_(URL|PASSWORD|TOKEN|ACCESS_KEY|HEADERS|API_KEY)$/;

it('every key that copies of a process share is compared at their start', () => {
  const secrets = processes.flatMap(({ env }) => variablesOf(env)).filter(({ secret }) => secret === true);
  const known = (name: string) =>
    name in comparedKeys || name in exempt || (credentials.test(name) && name !== 'INTERNAL_API_KEY');
  expect([...new Set(secrets.map(({ name }) => name))].filter((name) => !known(name))).toEqual([]);
});

it('a key that is compared is a variable of a process, and so is the key before it', () => {
  const names = new Set(processes.flatMap(({ env }) => variablesOf(env)).map(({ name }) => name));
  for (const [name, { previous }] of Object.entries(comparedKeys)) {
    expect(names).toContain(name);
    if (previous !== undefined) expect(names).toContain(previous);
  }
});
