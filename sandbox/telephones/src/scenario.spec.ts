import { describe, expect, it } from '@jest/globals';
import { played } from './behaviours.js';
import { callInScenario } from './call-in-scenario.js';
import { answerScenario } from './scenario.js';

const place = { carrier: '127.0.0.1:5080', mediaPort: 4000 };
const answering = answerScenario(place, { talkMs: 5_000 });
const calling = callInScenario(place, {
  from: '+14155550100',
  to: '+14155550142',
  sipAddress: '127.0.0.1:5060',
  patienceMs: 1_000,
  talkMs: 1_000,
});

const all = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found]) => found ?? '');

describe.each([
  ['telephones that are called', answering],
  ['a telephone that calls', calling],
])('the scenario of %s', (_, text) => {
  it('jumps only to labels that exist', () => {
    const labels = all(text, /<label id="([^"]+)"/g);
    expect(new Set(labels).size).toBe(labels.length);
    for (const target of all(text, /(?:next|ontimeout)="([^"]+)"/g)) expect(labels).toContain(target);
  });

  it('has a timeout for every wait but the one for the first call', () => {
    const waits = all(text, /<recv ([^>]*)>/g).filter((attributes) => !attributes.includes('timeout='));
    expect(waits.length).toBe(text === answering ? 1 : 0);
  });
});

it('has a part for every behaviour that the carrier asks for', () => {
  for (const name of played) expect(answering).toContain(`<nop next="${name}" test="is-${name}"/>`);
});
