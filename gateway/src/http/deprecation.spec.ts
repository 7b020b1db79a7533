import { describe, expect, it } from '@jest/globals';
import { contract, type Operation } from '@parlance/contracts';
import { deprecationHeaders } from './deprecation.js';

const ending: Operation = {
  ...contract.callerGet,
  deprecated: { since: '2026-12-01', sunset: '2027-06-01', instead: 'calls.list' },
};

describe('the headers of a deprecated operation', () => {
  it('name the day of the deprecation, the last day and the operation to use instead', () => {
    expect(deprecationHeaders(ending)).toEqual({
      Deprecation: '@1796083200',
      Sunset: 'Tue, 01 Jun 2027 00:00:00 GMT',
      Link: '</api/v1/calls>; rel="successor-version"',
    });
  });

  it('have no link where the path of the successor takes parameters that the request does not name', () => {
    const { deprecated } = ending;
    if (deprecated === undefined) throw new Error('the fixture is not deprecated');
    expect(deprecationHeaders({ deprecated: { ...deprecated, instead: 'calls.get' } })).not.toHaveProperty(
      'Link',
    );
  });

  it('are absent from an operation that stays', () => {
    const staying: Operation = contract.callerGet;
    expect(deprecationHeaders(staying)).toEqual({});
  });
});
