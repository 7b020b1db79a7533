import { expect, it } from '@jest/globals';
import { contract, type Operation } from '@parlance/contracts';
import { buildOpenApi } from './openapi.js';

const ending: Operation = {
  ...contract.callerGet,
  deprecated: { since: '2026-12-01', sunset: '2027-06-01', instead: 'calls.list' },
};

it('a deprecated operation has a mark and a sentence in the interface document', () => {
  const { paths } = buildOpenApi([ending]) as { paths: Record<string, Record<string, object>> }; // an OpenAPI document
  expect(paths[ending.path]?.get).toMatchObject({
    deprecated: true,
    'x-sunset': '2027-06-01',
    description: expect.stringMatching(
      /^\*\*Deprecated:\*\* use `calls.list`\. It stops answering on 2027-06-01\./,
    ),
  });
});
