// Adds up the storage of an organization over all services, for its owners and admins.
import { type contract, type Data, serviceRequests } from '@parlance/contracts';
import { platformCaller, type RpcClient, type RpcContext } from '@parlance/rpc';

type Get = (typeof contract)['storageGet'];

export const storageOver =
  (rpc: RpcClient) =>
  async ({ caller, ...context }: RpcContext): Promise<Data<Get>> => {
    const asPlatform = { ...context, caller: platformCaller('gateway', caller.organizationId) };
    const [knowledge, campaigns, recordings] = await Promise.all([
      rpc.call(serviceRequests.knowledgeStorage, { body: {} }, asPlatform),
      rpc.call(serviceRequests.outboundCallsStorage, { body: {} }, asPlatform),
      rpc.call(serviceRequests.callsStorage, { body: {} }, asPlatform),
    ]);
    return {
      knowledgeBytes: knowledge.data.bytes,
      knowledgeChunks: knowledge.data.chunks,
      campaignFileBytes: campaigns.data,
      recordingBytes: recordings.data,
    };
  };
