export { CallTokenIssuer, CallTokens, callerOfCall, type TokenOfCall } from './callers/call-token.js';
export { EventSeals } from './callers/event-seals.js';
export { platformCaller } from './callers/platform-caller.js';
export { RequestSigner } from './callers/request-signer.js';
export { RequestVerifier } from './callers/request-verifier.js';
export { RpcClient, type RpcClientOptions, type RpcContext } from './client.js';
export {
  completeHandlers,
  type Handler,
  type HandlersOf,
  type RpcRequest,
  Serves,
  type StreamRequest,
} from './handlers.js';
export { ReadinessCollector, type ReadinessReporterOptions, startReadinessReporter } from './readiness.js';
export { type RpcService, type RpcServiceOptions, startRpcService } from './server.js';
export type { EventStream } from './streams/event-reader.js';
export { type SentEvent, sendStream } from './streams/send-stream.js';
export { type Answer, answer, type Concurrency } from './wire/answer.js';
export { type ConnectionState, type ConnectOptions, connectionState, connectNats } from './wire/connect.js';
export { encodeReply, type Outcome, parseData, type UnparsedAnswer } from './wire/reply.js';
