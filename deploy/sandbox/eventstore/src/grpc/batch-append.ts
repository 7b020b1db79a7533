// Streams/BatchAppend: one long call per client over which many appends run at once, each answered under its own id.
import code from '@eventstore/db-client/generated/code_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import { AppendTooLargeError, StreamDeletedError, WrongRevisionError } from '../errors.js';
import type { Appended, EventStore } from '../event-store.js';
import { EXPECT_ANY, EXPECT_NO_STREAM, EXPECT_STREAM_EXISTS } from '../expected-revision.js';
import { streamIdentifier, streamName } from '../messages.js';
import type { Call } from './call.js';
import { Proposal } from './proposal.js';

const { BatchAppendReq, BatchAppendResp } = streams;
/** Appends of one call that may wait for the disk; with more waiting, the call is not read further. */
const MAX_WAITING = 2048;

type Request = streams.BatchAppendReq;
type Response = streams.BatchAppendResp;
type Options = streams.BatchAppendReq.Options;

/** Bidirectional stream: pieces of appends in, one answer per append out, in the order in which they reach the disk. */
export async function batchAppend(store: EventStore, call: Call): Promise<void> {
  const batch = new BatchCall(store, call);
  await call.each((message) => batch.take(BatchAppendReq.deserializeBinary(message)));
  await batch.settled();
}

class BatchCall {
  private readonly collecting = new Map<string, { options: Options; proposal: Proposal }>();
  private waiting = 0;

  constructor(
    private readonly store: EventStore,
    private readonly call: Call,
  ) {}

  /** Takes the next piece; the last piece of an append starts it. */
  take(request: Request): void {
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
    const { options, proposal } = append;
    this.run(options, proposal).then(
      (answer) => this.answer(answer, request, options),
      (error: unknown) => this.answer(new BatchAppendResp().setError(errorStatus(error)), request, options),
    );
  }

  /** Resolves when everything that waits is answered. */
  settled(): Promise<void> {
    return this.call.until(() => this.waiting === 0);
  }

  private async run(options: Options, proposal: Proposal): Promise<Response> {
    const deadline = options.getDeadline();
    if (deadline !== undefined && deadline.toDate().getTime() < Date.now()) throw new DeadlinePassedError();
    const stream = streamName(options.getStreamIdentifier());
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
    this.waiting -= 1;
    if (this.waiting === MAX_WAITING - 1) this.call.resume();
    if (this.waiting === 0) this.call.wake();
  }
}

class DeadlinePassedError extends Error {}

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

/** The error as a google.rpc.Status whose detail is the message that the client looks for. */
function errorStatus(error: unknown): status.Status {
  const answer = new status.Status().setMessage(error instanceof Error ? error.message : String(error));
  const detail = (name: string, kind: code.Code, bytes: Uint8Array): status.Status => {
    const packed = new any.Any();
    packed.pack(bytes, `event_store.client.${name}`);
    return answer.setCode(kind).setDetails(packed);
  };
  if (error instanceof WrongRevisionError) {
    return detail('WrongExpectedVersion', code.Code.FAILED_PRECONDITION, conflict(error).serializeBinary());
  }
  if (error instanceof StreamDeletedError) {
    const deleted = new shared.StreamDeleted().setStreamIdentifier(streamIdentifier(error.stream));
    return detail('StreamDeleted', code.Code.FAILED_PRECONDITION, deleted.serializeBinary());
  }
  if (error instanceof AppendTooLargeError) {
    const exceeded = new shared.MaximumAppendSizeExceeded().setMaxappendsize(error.limit);
    return detail('MaximumAppendSizeExceeded', code.Code.INVALID_ARGUMENT, exceeded.serializeBinary());
  }
  if (error instanceof DeadlinePassedError) {
    return detail('Timeout', code.Code.DEADLINE_EXCEEDED, new shared.Timeout().serializeBinary());
  }
  // An unrecognised detail makes the client report our message; `Unknown` would make it drop it.
  return detail(
    'BadRequest',
    code.Code.INVALID_ARGUMENT,
    new shared.BadRequest().setMessage(answer.getMessage()).serializeBinary(),
  );
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
