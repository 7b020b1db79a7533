// Every finding of the doctor has a fault that is made on purpose, in a test that looks for its code.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { checks, checksOfServices } from './index.js';

const root = new URL('../../../', import.meta.url);

const textsIn = (folder: string): readonly string[] =>
  readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.int.spec.ts') && !path.includes('node_modules'))
    .map((path) => readFileSync(new URL(`${folder}/${path}`, root), 'utf8'));

/** Texts of the tests that make faults: those of the doctor, and those of services that run its checks. */
const testTexts = (): readonly string[] => [
  ...textsIn('libs/doctor/src'),
  ...readdirSync(new URL('services/', root))
    .flatMap((service) => textsIn(`services/${service}/src`))
    .filter((text) => /from '\.+\/(.*\/)?doctor(-checks)?\.js'/.test(text)),
];

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
