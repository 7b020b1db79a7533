import { describe, expect, it } from '@jest/globals';
import type { OutboundTrunk } from '@parlance/media-rooms';
import { placeOf } from './sip-place.js';
import { fittingTrunk, isAsRecorded } from './trunk-plan.js';
import type { TrunkRow } from './trunk-rows.js';

const place = { address: 'x.pstn.twilio.com', transport: 'tcp' } as const;
const trunk: OutboundTrunk = {
  ...place,
  trunkId: 'ST_1',
  provider: 'TWILIO',
  username: 'u1',
  credential: 'CR1@1',
  isIntact: true,
};
const accepted = { credentials: [{ username: 'u1', version: 'CR1@1' }] };
const row: TrunkRow = {
  ...{ provider: 'TWILIO', trunk_id: 'ST_1', credential: 'CR1@1', termination_id: 'TK1', ...place },
  ...{ next_check_at: new Date(0), suspected_at: null, trouble: null },
};

describe('a trunk fits', () => {
  const changes: readonly (readonly [string, Partial<OutboundTrunk>])[] = [
    ['leads elsewhere', { address: 'y.pstn.twilio.com' }],
    ['is reached otherwise', { transport: 'udp' }],
    ['has another user', { username: 'u2' }],
    ['has credentials of before', { credential: 'CR1@0' }],
    ['was written over', { isIntact: false }],
  ];

  it('that leads to the provider with credentials that it accepts', () => {
    expect(fittingTrunk([trunk], place, accepted, null)?.trunkId).toBe('ST_1');
    expect(isAsRecorded(row, [trunk])).toBe(true);
  });

  it.each(changes)('no more when it %s', (_, change) => {
    expect(fittingTrunk([{ ...trunk, ...change }], place, accepted, 'ST_1')).toBeUndefined();
  });

  it('no more when the provider takes its credentials no longer', () => {
    expect(fittingTrunk([trunk], place, { credentials: [] }, 'ST_1')).toBeUndefined();
  });

  it('and of two the one on record, so that no dial has to change', () => {
    const twins = [{ ...trunk, trunkId: 'ST_0' }, trunk];
    expect(fittingTrunk(twins, place, accepted, 'ST_1')?.trunkId).toBe('ST_1');
    expect(fittingTrunk(twins, place, accepted, null)?.trunkId).toBe('ST_0');
  });

  it('is as recorded only under its own id', () => {
    expect(isAsRecorded(row, [{ ...trunk, trunkId: 'ST_2' }])).toBe(false);
    expect(isAsRecorded({ ...row, trunk_id: null }, [trunk])).toBe(false);
    expect(isAsRecorded(row, [{ ...trunk, credential: 'CR1@2' }])).toBe(false);
  });
});

describe('calls leave', () => {
  const places = { instead: { TELNYX: '127.0.0.1:5070;transport=udp' }, transport: 'tcp' } as const;

  it("to the provider's own host, unless the operator says otherwise", () => {
    expect(placeOf(places, 'TWILIO', 'x.pstn.twilio.com')).toEqual(place);
    expect(placeOf(places, 'TELNYX', 'sip.telnyx.com')).toEqual({
      address: '127.0.0.1:5070',
      transport: 'udp',
    });
    expect(placeOf({ instead: { TELNYX: 'sip.telnyx.eu' }, transport: 'tls' }, 'TELNYX', 'x')).toEqual({
      address: 'sip.telnyx.eu',
      transport: 'tls',
    });
  });
});
