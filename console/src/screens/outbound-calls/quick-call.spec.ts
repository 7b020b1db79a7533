// A number is called as it was meant, and empty fields are left to the agent's configuration.
import { describe, expect, it } from '@jest/globals';
import { outboundCallOperations } from '@parlance/contracts/operations/outbound-calls';
import { quickCallBody } from './quick-call.js';

const empty = {
  ...{ agentId: undefined, phoneNumber: undefined, fromNumber: undefined, username: undefined },
  ...{ firstMessage: undefined, dynamicVariables: {}, ringingTimeoutSeconds: undefined },
};

describe('the body of a quick call', () => {
  it('is taken by the contract, however the number is written', () => {
    const body = quickCallBody({
      ...empty,
      agentId: 'f1f3f0b2-6f86-4b52-9a0e-0a0d8f4d6a11',
      phoneNumber: '+1 (415) 555-0100',
      fromNumber: '+14155550199',
    });
    expect(body).toMatchObject({ phoneNumber: '+14155550100' });
    expect(outboundCallOperations.outboundCallsQuick.body.safeParse(body).success).toBe(true);
  });

  it('leaves out what was left empty', () => expect(quickCallBody(empty)).toEqual({}));
});
