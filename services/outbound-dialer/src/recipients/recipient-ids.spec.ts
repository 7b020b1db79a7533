import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { v5 } from 'uuid';
import { recipientCallId, recipientCallIds } from './recipient-ids.js';

describe('the name of a recipient’s call', () => {
  it('is that of version 5 for its campaign and row, whatever was asked before', () => {
    const rowNumbers = fc.array(fc.integer({ min: 1, max: 2_147_483_647 }), { minLength: 1 });
    fc.assert(
      fc.property(fc.uuid(), rowNumbers, (campaignId, rows) => {
        const callIdOf = recipientCallIds(campaignId);
        const names = rows.map((row) => v5(`${campaignId}/${row}`, '3f0f6a52-6f0b-5d8e-8f55-0f6b1c1f9f0a'));
        expect(rows.map(callIdOf)).toEqual(names);
        expect(rows.map((row) => recipientCallId(campaignId, row))).toEqual(names);
      }),
    );
  });
});
