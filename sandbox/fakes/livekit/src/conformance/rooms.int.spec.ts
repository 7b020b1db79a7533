import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ConformanceTarget, clientsAt, conformanceTarget } from './support.js';

let target: ConformanceTarget;
const made: string[] = [];

beforeAll(async () => {
  target = await conformanceTarget();
});
afterAll(async () => {
  for (const name of made) await target.rooms.deleteRoom(name).catch(() => undefined);
  await target.close();
});

const room = async (metadata = ''): Promise<string> => {
  const name = `conformance-${randomUUID()}`;
  made.push(name);
  await target.rooms.createRoom({ name, metadata, emptyTimeout: 60 });
  return name;
};

describe('a room', () => {
  it('is made once, however often it is asked for', async () => {
    const name = await room('first');
    const again = await target.rooms.createRoom({ name, emptyTimeout: 60 });
    const [listed] = await target.rooms.listRooms([name]);
    expect(listed).toMatchObject({ name, sid: again.sid, metadata: 'first', numParticipants: 0 });
  });

  it('keeps the metadata that it is given', async () => {
    const name = await room();
    await target.rooms.updateRoomMetadata(name, 'changed');
    expect(await target.rooms.listRooms([name])).toMatchObject([{ metadata: 'changed' }]);
  });

  it('is gone when it was deleted', async () => {
    const name = await room();
    await target.rooms.deleteRoom(name);
    expect(await target.rooms.listRooms([name])).toEqual([]);
  });

  it('has nobody in it at first', async () => {
    const name = await room();
    expect(await target.rooms.listParticipants(name)).toEqual([]);
    await expect(target.rooms.getParticipant(name, 'nobody')).rejects.toMatchObject({ status: 404 });
    await expect(target.rooms.removeParticipant(name, 'nobody')).rejects.toMatchObject({ status: 404 });
  });
});

describe('a dispatch', () => {
  it('is in its room until it is deleted', async () => {
    const name = await room();
    const dispatch = await target.dispatch.createDispatch(name, 'conformance-agent', { metadata: 'm' });
    const other = await target.dispatch.createDispatch(name, 'conformance-agent');
    // A room that was made without agents has a dispatch of its own, to agents without a name.
    const named = async () =>
      (await target.dispatch.listDispatch(name)).filter(({ agentName }) => agentName !== '');
    expect(await named()).toHaveLength(2);
    expect(await target.dispatch.getDispatch(dispatch.id, name)).toMatchObject({
      id: dispatch.id,
      agentName: 'conformance-agent',
      metadata: 'm',
      room: name,
    });
    await target.dispatch.deleteDispatch(dispatch.id, name);
    expect((await named()).map(({ id }) => id)).toEqual([other.id]);
  });
});

describe('a stranger', () => {
  it('is not let in with a token that is signed with another secret', async () => {
    const { rooms } = clientsAt(target.url, target.apiKey, 'another-secret-of-thirty-two-bytes!!');
    await expect(rooms.listRooms()).rejects.toMatchObject({ status: 401 });
  });
});
