// The compile-time promises are the @ts-expect-error lines: tsc fails when one of them stops being an error.
import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import type { contract, Data, Result, serviceRequests } from '@parlance/contracts';
import type { RpcClient, RpcContext } from './client.js';
import { completeHandlers, type HandlersOf, type RpcRequest, Serves } from './handlers.js';
import { type Answer, answer } from './wire/answer.js';

type Cancel = typeof contract.outboundCallsCancel;
type Upload = typeof contract.outboundCallsBatchUploadUrl;
type OpenCount = typeof serviceRequests.outboundCallsOpenCountOfAgent;

const later = [
  'outboundCalls.list',
  'outboundCalls.quick',
  'outboundCalls.createBatch',
  'outboundCalls.previewBatch',
  'outboundCalls.listBatches',
  'outboundCalls.getBatch',
  'outboundCalls.batchOutcomes',
  'outboundCalls.listRecipients',
  'outboundCalls.exportRecipients',
  'outboundCalls.cancelBatch',
  'outboundCalls.status',
  'outboundCalls.get',
  'outboundCalls.retry',
  'outboundCalls.delete',
  'outboundCalls.timeline',
  'outboundCalls.admitUpload',
  'outboundCalls.attemptFacts',
  'outboundCalls.endAttempt',
  'outboundCalls.campaignFrom',
  'outboundCalls.storage',
  'limits.begin',
  'limits.of',
  'places.take',
  'places.giveBack',
  'spend.get',
  'spend.worstCase',
  'spend.reserveNumber',
  'outboundCalls.closeOrganization',
  'outboundCalls.reopenOrganization',
  'suppressions.addOfCall',
  'suppressions.history',
  'outboundCalls.organizationCleared',
  'outboundCalls.countPerson',
  'outboundCalls.erasePerson',
  'suppressions.list',
  'suppressions.create',
  'suppressions.delete',
] as const;

@Serves()
class Calls {
  async 'outboundCalls.cancel'({ params }: RpcRequest<Cancel>): Promise<Data<Cancel>> {
    return { id: params.outboundId, status: 'cancelled', cancelled: true };
  }

  async 'outboundCalls.batchUploadUrl'({ query }: RpcRequest<Upload>): Promise<Answer<Data<Upload>>> {
    return answer({ uploadUrl: 'https://storage.test', sourceFileKey: query.fileName }, { repeated: true });
  }
}

@Serves()
class Counts {
  async 'outboundCalls.openCountOfAgent'(_: RpcRequest<OpenCount>) {
    return { open: 0 };
  }
}

class Mistyped {
  async 'outboundCalls.openCountOfAgent'(_: RpcRequest<OpenCount>) {
    return { open: 'none' };
  }
}

class WantsTooMuch {
  async 'outboundCalls.openCountOfAgent'(_: RpcRequest<Cancel>) {
    return { open: 0 };
  }
}

const dialer = completeHandlers('outbound-dialer');

describe('completeHandlers', () => {
  it('returns the controllers that together answer every row of the service', () => {
    expect(dialer([Calls, Counts], later)).toEqual([Calls, Counts]);
  });

  it('neither compiles nor starts when a row has no handler', () => {
    // @ts-expect-error outboundCalls.openCountOfAgent has no handler
    expect(() => dialer([Calls], later)).toThrow('outboundCalls.openCountOfAgent');
    // @ts-expect-error nothing but these three is answered
    expect(() => dialer([Calls, Counts])).toThrow('outboundCalls.quick');
  });

  it('does not compile when a handler answers or expects something else than its row says', () => {
    // @ts-expect-error open is a number
    expect(dialer([Calls, Mistyped], later)).toHaveLength(2);
    // @ts-expect-error the row has a body, not params
    expect(dialer([Calls, WantsTooMuch], later)).toHaveLength(2);
  });

  it('does not compile when a row is missing, although two controllers have private members of one name', () => {
    class One extends Calls {
      protected readonly parts = 1;
    }
    class Other {
      protected readonly parts = 2;
    }
    // @ts-expect-error outboundCalls.openCountOfAgent is missing
    expect(() => dialer([One, Other], later)).toThrow('outboundCalls.openCountOfAgent');
  });

  it('does not compile when a row that is left for later does not exist', () => {
    // @ts-expect-error a misspelt row
    expect(dialer([Calls, Counts], [...later, 'outboundCalls.sing'])).toHaveLength(2);
  });

  it('does not start when two controllers answer the same row', () => {
    class Again extends Counts {
      override async 'outboundCalls.openCountOfAgent'(_: RpcRequest<OpenCount>) {
        return { open: 1 };
      }
    }
    expect(() => dialer([Calls, Counts, Again], later)).toThrow('outboundCalls.openCountOfAgent');
  });

  it('does not start with a handler of another service', () => {
    class Stray {
      async 'agents.forCall'() {}
    }
    expect(() => dialer([Calls, Counts, Stray], later)).toThrow('agents.forCall');
  });
});

describe('Serves', () => {
  it('refuses a class with a method that looks like a row but is none', () => {
    expect(() => {
      @Serves()
      class Misspelt {
        async 'outboundCalls.quik'() {}
      }
      return Misspelt;
    }).toThrow('outboundCalls.quik');
  });
});

/** Never runs: the row alone gives the type of the answer that a caller gets. */
export const typesOfTheClient = async (client: RpcClient, context: RpcContext, row: Cancel) => {
  const { data } = await client.call(row, { params: { outboundId: 'x' } }, context);
  const exact: Result<Cancel> = data;
  // @ts-expect-error the row has no such answer
  data.campaignId;
  // @ts-expect-error the parameter has another name
  await client.call(row, { params: { id: 'x' } }, context);
  // @ts-expect-error the row has no body
  await client.call(row, { params: { outboundId: 'x' }, body: {} }, context);
  // @ts-expect-error a service's handlers do not include another service's rows
  type Foreign = HandlersOf<'outbound-dialer'>['agents.create'];
  return exact satisfies Foreign extends never ? never : Result<Cancel>;
};
