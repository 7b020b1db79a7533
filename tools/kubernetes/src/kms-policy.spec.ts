// The processes that the policy for the key management service names, in the source of the chart.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { processes, variablesOf } from '@parlance/compose';
import { chart } from './render.js';

it('the policy for the key management service is about the processes that read KMS_URL, and no others', () => {
  const template = readFileSync(join(chart, 'templates/network-policies.yaml'), 'utf8');
  const [, names = ''] = /"reach-kms" "[^"]*values: \[([^\]]*)\]/.exec(template) ?? [];
  const clients = processes
    .filter(({ env }) => variablesOf(env).some(({ name }) => name === 'KMS_URL'))
    .map(({ name }) => name);
  expect(names.split(', ')).toEqual(clients.toSorted());
});
