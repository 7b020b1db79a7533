// Streams/Append, Delete and Tombstone: one write per call, refused with a status or, for a conflict, in the answer.
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { WrongRevisionError } from '../store/errors.js';
import type { Appended, EventStore } from '../store/event-store.js';
import { EXPECT_ANY, EXPECT_NO_STREAM, EXPECT_STREAM_EXISTS } from '../store/expected-revision.js';
import { streamName } from '../store/messages.js';
import { assertMayWrite } from './access.js';
import type { Call } from './call.js';
import { Proposal } from './proposal.js';

const { AppendResp } = streams;

type Expectation = Pick<
  streams.AppendReq.Options,
  'hasRevision' | 'getRevision' | 'hasNoStream' | 'hasStreamExists'
>;

function expectedRevision(options: Expectation | undefined): number {
  if (options === undefined) return EXPECT_ANY;
  if (options.hasRevision()) return Number(options.getRevision());
  if (options.hasNoStream()) return EXPECT_NO_STREAM;
  return options.hasStreamExists() ? EXPECT_STREAM_EXISTS : EXPECT_ANY;
}

/** Client stream: options first, then one message per event. */
export async function append(store: EventStore, call: Call): Promise<void> {
  let options = new streams.AppendReq.Options();
  const proposal = new Proposal();
  await call.each((message) => {
    const request = streams.AppendReq.deserializeBinary(message);
    options = request.getOptions() ?? options;
    const proposed = request.getProposedMessage();
    if (proposed !== undefined) proposal.add(proposed);
  });
  const stream = streamName(options.getStreamIdentifier());
  assertMayWrite(stream, call.caller);
  try {
    const appended = await proposal.appendTo(store, stream, expectedRevision(options));
    call.send(success(appended).serializeBinary());
  } catch (error) {
    if (!(error instanceof WrongRevisionError)) throw error;
    call.send(conflict(error).serializeBinary());
  }
}

/** Soft delete. */
export async function softDelete(store: EventStore, call: Call): Promise<void> {
  const options = streams.DeleteReq.deserializeBinary(await call.request()).getOptions();
  const stream = streamName(options?.getStreamIdentifier());
  assertMayWrite(stream, call.caller);
  const position = await store.delete(stream, expectedRevision(options));
  const answer = new streams.DeleteResp().setPosition(at(new streams.DeleteResp.Position(), position));
  call.send(answer.serializeBinary());
}

/** Hard delete. */
export async function tombstone(store: EventStore, call: Call): Promise<void> {
  const options = streams.TombstoneReq.deserializeBinary(await call.request()).getOptions();
  const stream = streamName(options?.getStreamIdentifier());
  assertMayWrite(stream, call.caller);
  const position = await store.tombstone(stream, expectedRevision(options));
  const answer = new streams.TombstoneResp().setPosition(at(new streams.TombstoneResp.Position(), position));
  call.send(answer.serializeBinary());
}

interface WirePosition {
  setCommitPosition(value: string): unknown;
  setPreparePosition(value: string): unknown;
}

function at<P extends WirePosition>(wire: P, position: number): P {
  wire.setCommitPosition(String(position));
  wire.setPreparePosition(String(position));
  return wire;
}

function success({ revision, position }: Appended): streams.AppendResp {
  const answer = new AppendResp.Success();
  if (revision >= 0) answer.setCurrentRevision(String(revision));
  else answer.setNoStream(new shared.Empty());
  if (position === undefined) answer.setNoPosition(new shared.Empty());
  else answer.setPosition(at(new AppendResp.Position(), position));
  return new AppendResp().setSuccess(answer);
}

function conflict({ expected, current }: WrongRevisionError): streams.AppendResp {
  const answer = new AppendResp.WrongExpectedVersion();
  if (current >= 0) answer.setCurrentRevision(String(current));
  else answer.setCurrentNoStream(new shared.Empty());
  if (expected === EXPECT_ANY) answer.setExpectedAny(new shared.Empty());
  else if (expected === EXPECT_STREAM_EXISTS) answer.setExpectedStreamExists(new shared.Empty());
  else if (expected === EXPECT_NO_STREAM) answer.setExpectedNoStream(new shared.Empty());
  else answer.setExpectedRevision(BigInt(expected).toString());
  return new AppendResp().setWrongExpectedVersion(answer);
}
