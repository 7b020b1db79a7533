import streams from '@eventstore/db-client/generated/streams_pb.js';
import { describe, expect, it } from '@jest/globals';
import { recordedEvent } from './recorded-event.js';

const id = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
const event = {
  id,
  type: 'AttemptStarted',
  contentType: 'application/json',
  data: Buffer.from('{"n":1}'),
  metadata: Buffer.from('{}'),
};
const at = { stream: 'call-1', revision: 0, position: 16, createdMs: 1_790_000_000_000, tombstone: false };

/** The event that the client's own decoder reads from the bytes, and whether its encoder would have made the same bytes. */
function decoded(bytes: Buffer) {
  const response = streams.ReadResp.deserializeBinary(bytes);
  const read = response.getEvent();
  const recorded = read?.getEvent();
  return {
    commit: read?.getCommitPosition(),
    id: recorded?.getId()?.getString(),
    stream: Buffer.from(recorded?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString(),
    revision: recorded?.getStreamRevision(),
    positions: [recorded?.getPreparePosition(), recorded?.getCommitPosition()],
    metadata: Object.fromEntries(recorded?.getMetadataMap().toObject() ?? []),
    custom: Buffer.from(recorded?.getCustomMetadata_asU8() ?? []),
    data: Buffer.from(recorded?.getData_asU8() ?? []),
  };
}

describe('an encoded event', () => {
  it.each([
    ['a plain one', event, at],
    ['names beyond ASCII', { ...event, type: 'Ünïcode 流' }, { ...at, stream: 'é-流' }],
    ['no data and no metadata', { ...event, data: new Uint8Array(), metadata: new Uint8Array() }, at],
    [
      'lengths and numbers of several bytes',
      { ...event, data: Buffer.alloc(70_000, 7) },
      { ...at, revision: 300, position: 2 ** 47 + 129 },
    ],
    ['the largest of all positions', event, { ...at, position: Number.MAX_SAFE_INTEGER }],
  ])('with %s is what the client decodes', (_name, proposed, recorded) => {
    const position = String(recorded.position);
    expect(decoded(recordedEvent(proposed, recorded))).toEqual({
      commit: position,
      id: '00112233-4455-6677-8899-aabbccddeeff',
      stream: recorded.stream,
      revision: String(recorded.revision),
      positions: [position, position],
      metadata: { type: proposed.type, 'content-type': 'application/json', created: '17900000000000000' },
      custom: Buffer.from(proposed.metadata),
      data: Buffer.from(proposed.data),
    });
  });

  it('of a tombstone has the largest revision there is', () => {
    const bytes = recordedEvent(event, { ...at, revision: 7, tombstone: true });
    expect(decoded(bytes).revision).toBe('9223372036854775807');
  });
});
