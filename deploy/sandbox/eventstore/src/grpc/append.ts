// Streams/Append, Delete and Tombstone: one write per call, refused with a status or, for a conflict, in the answer.
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { handleClientStreamingCall, handleUnaryCall } from '@grpc/grpc-js';
import { WrongRevisionError } from '../errors.js';
import type { Appended, EventStore } from '../event-store.js';
import { EXPECT_ANY, EXPECT_NO_STREAM, EXPECT_STREAM_EXISTS } from '../expected-revision.js';
import { streamName } from '../messages.js';
import { Proposal } from './proposal.js';
import { serviceError } from './status.js';

const { AppendResp } = streams;

type Expectation = Pick<
  streams.AppendReq.Options,
  'hasRevision' | 'getRevision' | 'hasNoStream' | 'hasStreamExists'
>;

function expectedRevision(options: Expectation): number {
  if (options.hasRevision()) return Number(options.getRevision());
  if (options.hasNoStream()) return EXPECT_NO_STREAM;
  return options.hasStreamExists() ? EXPECT_STREAM_EXISTS : EXPECT_ANY;
}

/** Client stream: options first, then one message per event. */
export function appendHandler(
  store: EventStore,
): handleClientStreamingCall<streams.AppendReq, streams.AppendResp> {
  return (call, callback) => {
    let options = new streams.AppendReq.Options();
    const proposal = new Proposal();
    call.on('data', (request: streams.AppendReq) => {
      options = request.getOptions() ?? options;
      const message = request.getProposedMessage();
      if (message !== undefined) proposal.add(message);
    });
    call.on('end', () => {
      const stream = streamName(options.getStreamIdentifier());
      proposal.appendTo(store, stream, expectedRevision(options)).then(
        (appended) => callback(null, success(appended)),
        (error: unknown) => {
          if (error instanceof WrongRevisionError) callback(null, conflict(error));
          else callback(serviceError(error));
        },
      );
    });
  };
}

/** Soft delete. */
export function deleteHandler(store: EventStore): handleUnaryCall<streams.DeleteReq, streams.DeleteResp> {
  return ({ request }, callback) => {
    const options = request.getOptions() ?? new streams.DeleteReq.Options();
    store.delete(streamName(options.getStreamIdentifier()), expectedRevision(options)).then(
      (position) =>
        callback(null, new streams.DeleteResp().setPosition(at(new streams.DeleteResp.Position(), position))),
      (error: unknown) => callback(serviceError(error)),
    );
  };
}

/** Hard delete. */
export function tombstoneHandler(
  store: EventStore,
): handleUnaryCall<streams.TombstoneReq, streams.TombstoneResp> {
  return ({ request }, callback) => {
    const options = request.getOptions() ?? new streams.TombstoneReq.Options();
    store.tombstone(streamName(options.getStreamIdentifier()), expectedRevision(options)).then(
      (position) =>
        callback(
          null,
          new streams.TombstoneResp().setPosition(at(new streams.TombstoneResp.Position(), position)),
        ),
      (error: unknown) => callback(serviceError(error)),
    );
  };
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
