import { describe, expect, it } from '@jest/globals';
import { AppError } from '@parlance/errors';
import { callerNumberOf, type NamedNumber, type OwnershipParts, ownershipOf } from './caller-ownership.js';

const fromNumber = '+442079460000';
const number = { id: 'n1', provider: 'TWILIO', providerNumberId: 'PN1', isoCountry: 'GB' } as const;
const common = { countries: ['US'], goodForMs: 2_000 };
const now = Date.parse('2026-11-22T10:00:00.000Z');

/** Each neighbour takes a second to answer. */
const ownership = async (named: Partial<NamedNumber>, says: Partial<OwnershipParts> = {}) => {
  let passedMs = 0;
  const after = async <T>(answer: T): Promise<T> => {
    passedMs = 1_000;
    return answer;
  };
  const parts: OwnershipParts = {
    askNumbers: () => after({ number, ...common }),
    askProvider: () => after({ isOwned: true, ...common }),
    clock: { now: () => new Date(now + passedMs) },
    ...says,
  };
  return ownershipOf(parts, 'org', { fromNumber, provider: null, sid: null, ...named });
};

describe('the number that a call comes from', () => {
  it('is owned when it is on record, for as long as is said from before the question', async () => {
    const until = new Date(now + common.goodForMs);
    const owned = { kind: 'owned', provider: 'TWILIO', countries: ['US'], trunkId: null, until };
    expect(await ownership({})).toEqual(owned);
    expect(await ownership({ provider: 'TWILIO' })).toEqual(owned);
  });

  it('brings the trunk of its provider along, also when it is kept at the provider alone', async () => {
    const answer = { ...common, trunkId: 'ST_1' };
    const askNumbers = async () => ({ number, ...answer });
    expect(await ownership({}, { askNumbers })).toMatchObject({ trunkId: 'ST_1' });
    const askProvider = async () => ({ isOwned: true, ...answer });
    const kept = { provider: 'TELNYX', sid: '1' } as const;
    expect(await ownership(kept, { askProvider })).toMatchObject({ trunkId: 'ST_1' });
  });

  it('is not owned at another account than the one that is named', async () => {
    expect(await ownership({ provider: 'TELNYX' })).toEqual({
      kind: 'unowned',
      code: 'CALLER_NUMBER_NOT_OWNED',
    });
  });

  it('is unknown when it is not on record, whichever account is named', async () => {
    const askNumbers = async () => ({ number: null, ...common });
    for (const provider of [null, 'TWILIO'] as const)
      expect(await ownership({ provider }, { askNumbers })).toEqual({
        kind: 'unowned',
        code: 'NUMBER_NOT_FOUND',
      });
  });

  it('with an identifier is owned when the provider has it, and opens its own country', async () => {
    const named = { provider: 'TELNYX', sid: '1' } as const;
    expect(await ownership(named)).toMatchObject({
      kind: 'owned',
      provider: 'TELNYX',
      countries: ['US', 'GB'],
    });
    const askProvider = async () => ({ isOwned: false, ...common });
    expect(await ownership(named, { askProvider })).toMatchObject({ code: 'CALLER_NUMBER_NOT_OWNED' });
  });

  it('is not guessed at when a neighbour does not answer', async () => {
    const silence = async () => {
      throw new AppError('SERVICE_UNAVAILABLE');
    };
    await expect(ownership({}, { askNumbers: silence })).rejects.toThrow(AppError);
    await expect(ownership({ provider: 'TWILIO', sid: '1' }, { askProvider: silence })).rejects.toThrow(
      AppError,
    );
  });

  it('is on record for a campaign’s call, which carries the identifier of its record', () => {
    const placed = { provider: 'TWILIO', sid: 'PN1' } as const;
    expect(callerNumberOf({ ...placed, mode: 'batch' }, fromNumber)).toMatchObject({ sid: null });
    expect(callerNumberOf({ ...placed, mode: 'quick' }, fromNumber)).toMatchObject({ sid: 'PN1' });
  });
});
