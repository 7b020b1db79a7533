// Every finding of the doctor has a fault that is made on purpose, in a test that looks for its code.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { checks, checksOfServices } from './index.js';

const root = new URL('../../../', import.meta.url);

const filesIn = (folder: string): readonly string[] =>
  readdirSync(new URL(`${folder}/`, root)).map((name) => `${folder}/${name}`);

/** Texts of the tests that make faults: those of the doctor, and those beside the checks of services. */
const testTexts = (): readonly string[] =>
  [
    ...['libs/doctor/src', 'libs/doctor/src/testing']
      .flatMap(filesIn)
      .filter((path) => path.endsWith('.int.spec.ts')),
    ...filesIn('services')
      .flatMap((service) => filesIn(`${service}/src`))
      .filter((path) => path.endsWith('/doctor.int.spec.ts')),
  ].map((path) => readFileSync(new URL(path, root), 'utf8'));

it('every code is looked for by a test that makes its fault, and comes with advice', async () => {
  const all = [...checks, ...(await checksOfServices(root))];
  const findings = all.flatMap(({ findings: kinds }) => Object.entries(kinds));
  const texts = testTexts();
  const isMadeOnPurpose = (code: string): boolean => texts.some((text) => text.includes(`'${code}'`));
  const codes = new Set(findings.map(([code]) => code));
  expect([...codes].filter((code) => !isMadeOnPurpose(code))).toEqual([]);
  expect(codes.size).toBeGreaterThanOrEqual(99);
  for (const [code, { advice, says }] of findings)
    expect({ code, advice, says }).toEqual({
      code,
      advice: expect.stringMatching(/^[A-Z].{10,}\.$/),
      says: expect.stringMatching(/^[A-Z].{10,}\.$/),
    });
});
