// The Twirp methods, by service and name. A method that is not here answers `unimplemented`.
import { RoomAgentDispatch } from '@livekit/protocol';
import { z } from 'zod';
import { type Dispatch, participantJson, roomJson } from './room-model.js';
import { type Rooms } from './rooms.js';
import type { Sip } from './sip.js';
import { sipAdminMethods } from './sip-methods.js';
import type { SipObjects } from './sip-objects.js';
import { type Grant, type Method, TwirpError } from './twirp.js';

const string = z.string().default('');
const duration = z
  .string()
  .regex(/^\d+(\.\d+)?s$/)
  .transform((text) => Number.parseFloat(text) * 1_000);

const parsed = <T extends z.ZodType>(schema: T, body: unknown): z.output<T> => {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw new TwirpError(
    'invalid_argument',
    `invalid request: ${result.error.issues[0]?.path.join('.') ?? ''}`,
  );
};

const methodUnder =
  (target: Method['target']) =>
  <T extends z.ZodType>(grant: Grant, schema: T, run: (request: z.output<T>) => unknown): Method => ({
    grant,
    target,
    run: async (body) => run(parsed(schema, body)),
  });
const roomMethod = methodUnder('rooms');
const dispatchMethod = methodUnder('dispatch');

const inRoom = z.object({ room: string });
const oneParticipant = z.object({ room: string, identity: string });

const participantOf = (rooms: Rooms, { room, identity }: z.output<typeof oneParticipant>) => {
  const participant = rooms.list([room])[0]?.participants.get(identity);
  if (!participant) throw new TwirpError('not_found', 'twirp error unknown: participant does not exist');
  return participant;
};

const dispatchJson = ({ id, agentName, room, metadata }: Dispatch) => ({ id, agentName, room, metadata });

const roomService = (rooms: Rooms): Record<string, Method> => ({
  CreateRoom: roomMethod(
    'roomCreate',
    z.object({
      name: z.string().min(1),
      metadata: string,
      emptyTimeout: z.number().default(300),
      agents: z.array(z.unknown()).default([]),
    }),
    ({ name, metadata, emptyTimeout, agents }) => {
      const isNew = rooms.list([name]).length === 0;
      const room = rooms.create(name, metadata, emptyTimeout);
      for (const agent of isNew ? agents : []) {
        const dispatch = RoomAgentDispatch.fromJson(JSON.parse(JSON.stringify(agent)));
        rooms.dispatch(dispatch.agentName, room, dispatch.metadata);
      }
      return roomJson(room);
    },
  ),
  ListRooms: roomMethod('roomList', z.object({ names: z.array(z.string()).default([]) }), ({ names }) => ({
    rooms: rooms.list(names).map(roomJson),
  })),
  DeleteRoom: roomMethod('roomCreate', inRoom, ({ room }) => {
    rooms.delete(room);
    return {};
  }),
  UpdateRoomMetadata: roomMethod('roomAdmin', inRoom.extend({ metadata: string }), ({ room, metadata }) => {
    const found = rooms.get(room);
    found.metadata = metadata;
    return roomJson(found);
  }),
  ListParticipants: roomMethod('roomAdmin', inRoom, ({ room }) => ({
    participants: [...(rooms.list([room])[0]?.participants.values() ?? [])].map(participantJson),
  })),
  GetParticipant: roomMethod('roomAdmin', oneParticipant, (request) =>
    participantJson(participantOf(rooms, request)),
  ),
  RemoveParticipant: roomMethod('roomAdmin', oneParticipant, (request) => {
    participantOf(rooms, request);
    rooms.leave(rooms.get(request.room), request.identity, 'PARTICIPANT_REMOVED', true);
    return {};
  }),
});

const sipService = (sip: Sip, objects: SipObjects): Record<string, Method> => ({
  ...sipAdminMethods(objects),
  CreateSIPParticipant: methodUnder('itself')(
    'sipCall',
    z.object({
      sipTrunkId: string,
      trunk: z.object({ hostname: string }).optional(),
      sipCallTo: string,
      sipNumber: string,
      roomName: z.string().min(1),
      participantIdentity: z.string().default('sip-participant'),
      participantMetadata: string,
      participantAttributes: z.record(z.string(), z.string()).default({}),
      ringingTimeout: duration.default(30_000),
      maxCallDuration: duration.optional(),
      waitUntilAnswered: z.boolean().default(false),
    }),
    (request) => {
      const { sipCallTo: to } = request;
      if (to === '') throw new TwirpError('invalid_argument', 'missing sip callee number');
      if (to.includes('@'))
        throw new TwirpError(
          'invalid_argument',
          'SipCallTo should be a phone number or SIP user, not a full SIP URI',
        );
      if (request.sipTrunkId === '' && request.trunk) return sip.dialWithout(request.trunk.hostname);
      return sip.dial({
        trunkId: request.sipTrunkId,
        to: request.sipCallTo,
        from: request.sipNumber,
        room: request.roomName,
        identity: request.participantIdentity,
        attributes: request.participantAttributes,
        metadata: request.participantMetadata,
        ringingTimeoutMs: request.ringingTimeout,
        longestMs: request.maxCallDuration,
        waitUntilAnswered: request.waitUntilAnswered,
      });
    },
  ),
});

const dispatchService = (rooms: Rooms): Record<string, Method> => ({
  CreateDispatch: dispatchMethod(
    'roomAdmin',
    inRoom.extend({ agentName: string, metadata: string }),
    (request) => dispatchJson(rooms.dispatch(request.agentName, rooms.get(request.room), request.metadata)),
  ),
  ListDispatch: dispatchMethod(
    'roomAdmin',
    inRoom.extend({ dispatchId: string }),
    ({ room, dispatchId }) => ({
      agentDispatches: rooms
        .dispatches(room)
        .filter(({ id }) => !dispatchId || id === dispatchId)
        .map(dispatchJson),
    }),
  ),
  DeleteDispatch: dispatchMethod('roomAdmin', inRoom.extend({ dispatchId: string }), ({ room, dispatchId }) =>
    dispatchJson(rooms.undispatch(room, dispatchId)),
  ),
});

export const methodsOf = (
  rooms: Rooms,
  sip: Sip,
  objects: SipObjects,
): Readonly<Record<string, Record<string, Method>>> => ({
  RoomService: roomService(rooms),
  SIP: sipService(sip, objects),
  AgentDispatchService: dispatchService(rooms),
});
