// Streams/BatchAppend: one long call per client over which many appends run at once, each answered under its own id.
import code from '@eventstore/db-client/generated/code_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import {
  AccessDeniedError,
  AppendTooLargeError,
  StreamDeletedError,
  WrongRevisionError,
} from '../store/errors.js';
import type { Appended, EventStore } from '../store/event-store.js';
import { EXPECT_ANY, EXPECT_NO_STREAM, EXPECT_STREAM_EXISTS } from '../store/expected-revision.js';
import type { EventStoreFaults } from '../store/faults.js';
import { streamIdentifier, streamName } from '../store/messages.js';
import { assertMayWrite } from './access.js';
import type { Call } from './call.js';
import { afterWork, beforeWork, losesAnswer } from './faulty-work.js';
import { leaderRefusal } from './leadership.js';
import { Proposal } from './proposal.js';
import { type GrpcError, grpcError, STATUS } from './status.js';

const { BatchAppendReq, BatchAppendResp } = streams;
/** Appends of one call that may wait for the disk; with more waiting, the call is not read further. */
const MAX_WAITING = 2048;

type Request = streams.BatchAppendReq;
type Response = streams.BatchAppendResp;
type Options = streams.BatchAppendReq.Options;

/** Bidirectional stream: pieces of appends in, one answer per append out, in the order in which they reach the disk. */
export async function batchAppend(store: EventStore, call: Call, faults: EventStoreFaults): Promise<void> {
  const batch = new BatchCall(store, call, faults);
  await call.each((message) => batch.take(BatchAppendReq.deserializeBinary(message)));
  await batch.settled();
}

interface Collected {
  readonly options: Options;
  readonly proposal: Proposal;
}

class BatchCall {
  private readonly collecting = new Map<string, Collected>();
  private waiting = 0;
  private failed = false;

  constructor(
    private readonly store: EventStore,
    private readonly call: Call,
    private readonly faults: EventStoreFaults,
  ) {}

  /** Takes the next piece; the last piece of an append starts it. */
  take(request: Request): void {
    // Requests after a failure are not done, and end with the call.
    if (this.failed) return;
    const id = correlationKey(request.getCorrelationId());
    const append = this.collecting.get(id) ?? {
      options: request.getOptions() ?? new BatchAppendReq.Options(),
      proposal: new Proposal(),
    };
    for (const message of request.getProposedMessagesList()) append.proposal.add(message);
    if (!request.getIsFinal()) {
      this.collecting.set(id, append);
      return;
    }
    this.collecting.delete(id);
    this.waiting += 1;
    if (this.waiting === MAX_WAITING) this.call.pause();
    void this.handle(request, append);
  }

  /** Resolves when everything that waits is answered. */
  settled(): Promise<void> {
    return this.call.until(() => this.waiting === 0);
  }

  private async handle(request: Request, { options, proposal }: Collected): Promise<void> {
    try {
      const answer = await this.run(options, proposal).catch(errorAnswer);
      if (answer !== undefined) this.answer(answer, request, options);
    } catch (error) {
      this.fail(grpcError(error));
    }
    this.waiting -= 1;
    if (this.waiting === MAX_WAITING - 1) this.call.resume();
    if (this.waiting === 0) this.call.wake();
  }

  /** Resolves with the answer, or with none when a fault leaves the client without. */
  private async run(options: Options, proposal: Proposal): Promise<Response | undefined> {
    this.assertLeads();
    const fault = this.faults.take('append');
    if (fault.mode === 'ok') return this.append(options, proposal);
    await beforeWork(fault, this.call);
    const work = this.append(options, proposal);
    if (!losesAnswer(fault)) return work;
    await work.catch(() => undefined);
    // The call goes on for the other appends.
    if (fault.mode !== 'hang-after') await afterWork(fault, this.call);
    return undefined;
  }

  /** @throws GrpcError, which is the answer of this append, or ends the call where the leader is elsewhere */
  private assertLeads(): void {
    const refusal = leaderRefusal(this.faults.take('leader'), this.call);
    if (refusal === undefined) return;
    throw refusal.code === STATUS.NOT_FOUND ? refusal : new NotHandledError(refusal.message);
  }

  private async append(options: Options, proposal: Proposal): Promise<Response> {
    const deadline = options.getDeadline();
    if (deadline !== undefined && deadline.toDate().getTime() < Date.now()) throw new DeadlinePassedError();
    const stream = streamName(options.getStreamIdentifier());
    assertMayWrite(stream, this.call.caller);
    const appended = await proposal.appendTo(this.store, stream, expectedRevision(options));
    return new BatchAppendResp().setSuccess(success(appended));
  }

  private answer(answer: Response, request: Request, options: Options): void {
    answer.setCorrelationId(request.getCorrelationId()).setStreamIdentifier(options.getStreamIdentifier());
    if (options.hasStreamPosition()) answer.setStreamPosition(options.getStreamPosition());
    else
      answer
        .setNoStream(options.getNoStream())
        .setAny(options.getAny())
        .setStreamExists(options.getStreamExists());
    this.call.send(answer.serializeBinary());
  }

  /** Once the other appends are answered, ends the call with an error that clients know only as the end of a call. */
  private fail(error: GrpcError): void {
    if (this.failed) return;
    this.failed = true;
    void this.settled().then(() => this.call.finish(error));
  }
}

class DeadlinePassedError extends Error {}

/** This node is not the one that can do it. */
class NotHandledError extends Error {}

/** The same text for every piece of an append, in whichever form its client writes ids. */
const correlationKey = (id: shared.UUID | undefined): string =>
  id?.getString() ||
  `${id?.getStructured()?.getMostSignificantBits()}/${id?.getStructured()?.getLeastSignificantBits()}`;

function expectedRevision(options: Options): number {
  if (options.hasStreamPosition()) return Number(options.getStreamPosition());
  if (options.hasNoStream()) return EXPECT_NO_STREAM;
  return options.hasStreamExists() ? EXPECT_STREAM_EXISTS : EXPECT_ANY;
}

function success({ revision, position }: Appended): streams.BatchAppendResp.Success {
  const answer = new BatchAppendResp.Success();
  if (revision >= 0) answer.setCurrentRevision(String(revision));
  else answer.setNoStream(new empty.Empty());
  if (position === undefined) return answer.setNoPosition(new empty.Empty());
  const text = String(position);
  return answer.setPosition(new shared.AllStreamPosition().setCommitPosition(text).setPreparePosition(text));
}

/** The answer for an error that has one in this call; throws the others. */
function errorAnswer(error: unknown): Response {
  const [kind, name, message] = errorDetail(error);
  const packed = new any.Any();
  packed.pack(message.serializeBinary(), `event_store.client.${name}`);
  const text = error instanceof Error ? error.message : String(error);
  const answer = new status.Status().setCode(kind).setMessage(text).setDetails(packed);
  return new BatchAppendResp().setError(answer);
}

/** The parts of an error's google.rpc.Status, with the message that the client looks for. */
function errorDetail(error: unknown): [code.Code, string, { serializeBinary(): Uint8Array }] {
  if (error instanceof WrongRevisionError) {
    return [code.Code.FAILED_PRECONDITION, 'WrongExpectedVersion', conflict(error)];
  }
  if (error instanceof StreamDeletedError) {
    const deleted = new shared.StreamDeleted().setStreamIdentifier(streamIdentifier(error.stream));
    return [code.Code.FAILED_PRECONDITION, 'StreamDeleted', deleted];
  }
  if (error instanceof AppendTooLargeError) {
    const exceeded = new shared.MaximumAppendSizeExceeded().setMaxappendsize(error.limit);
    return [code.Code.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', exceeded];
  }
  if (error instanceof DeadlinePassedError) {
    return [code.Code.DEADLINE_EXCEEDED, 'Timeout', new shared.Timeout()];
  }
  if (error instanceof AccessDeniedError) {
    return [code.Code.PERMISSION_DENIED, 'AccessDenied', new shared.AccessDenied()];
  }
  // As in EventStoreDB, the refusal has no code: only its message tells the meaning.
  if (error instanceof NotHandledError) return [code.Code.OK, 'Empty', new empty.Empty()];
  const refusal = grpcError(error);
  if (refusal.code !== STATUS.INVALID_ARGUMENT && refusal.code !== STATUS.UNIMPLEMENTED) throw refusal;
  // A detail that the client does not know makes it report our message; `Unknown` would make it drop it.
  const refused = new shared.BadRequest().setMessage(refusal.message);
  return [code.Code.INVALID_ARGUMENT, 'BadRequest', refused];
}

function conflict({ expected, current }: WrongRevisionError): shared.WrongExpectedVersion {
  const answer = new shared.WrongExpectedVersion();
  if (current >= 0) answer.setCurrentStreamRevision(String(current));
  else answer.setCurrentNoStream(new empty.Empty());
  if (expected === EXPECT_ANY) return answer.setExpectedAny(new empty.Empty());
  if (expected === EXPECT_STREAM_EXISTS) return answer.setExpectedStreamExists(new empty.Empty());
  if (expected === EXPECT_NO_STREAM) return answer.setExpectedNoStream(new empty.Empty());
  return answer.setExpectedStreamPosition(BigInt(expected).toString());
}
