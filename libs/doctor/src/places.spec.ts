import { expect, it } from '@jest/globals';
import { cryptoEnv, loadEnv } from '@parlance/config';
import { z } from 'zod';
import { placeOf } from './places.js';

const root = new URL('../../../', import.meta.url);
const engine = {
  name: 'postgres',
  about: '',
  needs: ['POSTGRES_URL'],
  findings: {},
  look: async () => undefined,
};

it('the doctor looks with the credentials that the process derives from its root secret', () => {
  const ROOT_SECRET = '0123456789abcdef'.repeat(4);
  const POSTGRES_URL = 'postgres://calls_logs:@postgres:5432/parlance';
  const { process, variables } = placeOf(root, { ROOT_SECRET, POSTGRES_URL }, [engine]);
  expect(process).toBe('calls-logs');
  expect(variables.POSTGRES_URL).toMatch(/^postgres:\/\/calls_logs:[0-9a-f]{48}@postgres/);
  expect(variables.KEK).toBe(loadEnv(z.object(cryptoEnv), { ROOT_SECRET }).KEK.reveal());
});
