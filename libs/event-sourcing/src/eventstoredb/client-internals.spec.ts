import { ErrorType, EventStoreDBClient } from '@eventstore/db-client';
import status from '@eventstore/db-client/generated/status_pb.js';
import { describe, expect, it } from '@jest/globals';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import {
  gossip,
  gossipGrpc,
  internalsOf,
  monitoring,
  monitoringGrpc,
  parseConnectionString,
  parseUUID,
  StreamsClient,
  shared,
  streams,
  unpackToCommandError,
} from './client-internals.js';

describe('the private parts of the event store client that the driver uses', () => {
  it('parse a connection string into hosts, credentials and rules for certificates', () => {
    const parsed = parseConnectionString(
      'esdb+discover://voice:its%20own@one:2113,two:2114?tls=true&tlsCAFile=/etc/ca.pem',
    );
    expect(parsed).toMatchObject({
      hosts: [
        { address: 'one', port: 2113 },
        { address: 'two', port: 2114 },
      ],
      tls: true,
      tlsCAFile: '/etc/ca.pem',
      defaultCredentials: { username: 'voice', password: 'its own' },
    });
    expect(parseConnectionString('esdb://one:2113?tls=false').tls).toBe(false);
  });

  it('read an id in both of its encodings', () => {
    const text = '3b8c1e2a-0d4f-4a6b-8c9d-0e1f2a3b4c5d';
    expect(parseUUID(new shared.UUID().setString(text))).toBe(text);
    const half = new shared.UUID.Structured()
      .setMostSignificantBits(BigInt.asIntN(64, 0x3b8c1e2a0d4f4a6bn).toString())
      .setLeastSignificantBits(BigInt.asIntN(64, 0x8c9d0e1f2a3b4c5dn).toString());
    expect(parseUUID(new shared.UUID().setStructured(half))).toBe(text);
  });

  it('type the refusal of an append by its details', () => {
    const refused = new status.Status();
    const details = new any.Any();
    details.pack(
      new shared.WrongExpectedVersion().serializeBinary(),
      'event_store.client.WrongExpectedVersion',
    );
    refused.setDetails(details);
    expect(unpackToCommandError(refused, 'lamp-1').type).toBe(ErrorType.WRONG_EXPECTED_VERSION);
  });

  it('run an action on the connection of a client, with its call arguments, and hand out its channel', async () => {
    const client = EventStoreDBClient.connectionString('esdb://127.0.0.1:1?tls=false');
    const internals = internalsOf(client);
    const [metadata, options] = internals.callArguments({ requiresLeader: true }, { deadline: 5 });
    expect(metadata.get('requires-leader')).toEqual(['true']);
    expect(options).toMatchObject({ deadline: 5 });
    const stub = await internals.execute(StreamsClient, 'batchAppend', async (connected) => connected);
    expect(stub.batchAppend).toBeInstanceOf(Function);
    (await internals.getChannel()).close();
  });

  it('have the messages and stubs of the protocol', () => {
    const options = new streams.BatchAppendReq.Options().setAny(new shared.Empty());
    const sent = streams.BatchAppendReq.deserializeBinary(
      new streams.BatchAppendReq().setOptions(options).setIsFinal(true).serializeBinary(),
    );
    expect([sent.getIsFinal(), sent.getOptions()?.hasAny()]).toEqual([true, true]);
    expect(gossip.MemberInfo.VNodeState.LEADER).toEqual(expect.any(Number));
    expect(new monitoring.StatsReq().setUseMetadata(false).getUseMetadata()).toBe(false);
    for (const stub of [gossipGrpc.GossipClient, monitoringGrpc.MonitoringClient])
      expect(stub).toBeInstanceOf(Function);
  });
});
