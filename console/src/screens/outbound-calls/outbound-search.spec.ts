// The address of a filtered list leads to the list, whatever somebody has written into it.
import { describe, expect, it } from '@jest/globals';
import { readOutboundSearch } from './outbound-search.js';

describe('the filters of outbound calls in the address', () => {
  it('are kept where they are filters, and dropped where they are none', () => {
    const agent = 'f1f3f0b2-6f86-4b52-9a0e-0a0d8f4d6a11';
    expect(readOutboundSearch({ agent, status: 'busy', mode: 'batch', x: 1 })).toEqual({
      agent,
      status: 'busy',
      mode: 'batch',
    });
    expect(readOutboundSearch({ agent: 'mine', status: 'constructor', mode: 7 })).toEqual({});
  });
});
