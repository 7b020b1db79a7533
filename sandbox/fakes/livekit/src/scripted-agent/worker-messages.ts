// The messages between a LiveKit server and the worker of an agent, as bytes of the websocket.
import {
  AvailabilityResponse,
  JobStatus,
  JobType,
  RegisterWorkerRequest,
  ServerMessage,
  UpdateJobStatus,
  WorkerMessage,
  WorkerPing,
} from '@livekit/protocol';

const bytesOf = (message: WorkerMessage['message']): Uint8Array => new WorkerMessage({ message }).toBinary();

/** The first message: the server sends jobs of this agent name from then on. */
export const registration = (agentName: string): Uint8Array =>
  bytesOf({
    case: 'register',
    value: new RegisterWorkerRequest({ type: JobType.JT_ROOM, agentName, version: '1.0.0' }),
  });

/** The answer `take` accepts the job. The answer `done` ends it as a success, without a participant in the room. */
export const availability = (jobId: string, answer: 'take' | 'done'): Uint8Array =>
  bytesOf({
    case: 'availability',
    value: new AvailabilityResponse({
      jobId,
      available: answer === 'take',
      terminate: answer === 'done',
      participantIdentity: `agent-${jobId}`,
    }),
  });

/** Tells the end of a job; an error marks it as failed. */
export const jobEnd = (jobId: string, error?: string): Uint8Array =>
  bytesOf({
    case: 'updateJob',
    value: new UpdateJobStatus({
      jobId,
      status: error === undefined ? JobStatus.JS_SUCCESS : JobStatus.JS_FAILED,
      error: error ?? '',
    }),
  });

export const ping = (now: number): Uint8Array =>
  bytesOf({ case: 'ping', value: new WorkerPing({ timestamp: BigInt(now) }) });

/** One job of a room, reduced to the members that a call needs. */
export interface Job {
  readonly id: string;
  readonly roomName: string;
  readonly roomMadeAt: Date;
  /** Written by the platform where it asked for the agent. */
  readonly metadata: string;
}

export type FromServer =
  | { readonly kind: 'registered'; readonly workerId: string; readonly serverVersion: string }
  | { readonly kind: 'offer'; readonly job: Job }
  /** `url` is there only when the room is on another server than the worker. */
  | {
      readonly kind: 'assignment';
      readonly job: Job;
      readonly token: string;
      readonly url: string | undefined;
    }
  | { readonly kind: 'termination'; readonly jobId: string }
  | { readonly kind: 'pong' }
  | { readonly kind: 'other' };

type JobMessage = Extract<ServerMessage['message'], { case: 'assignment' }>['value']['job'];

const jobOf = (job: JobMessage): Job => ({
  id: job?.id ?? '',
  roomName: job?.room?.name ?? '',
  roomMadeAt: new Date(Number(job?.room?.creationTimeMs || (job?.room?.creationTime ?? 0n) * 1_000n)),
  metadata: job?.metadata ?? '',
});

/** @throws Error for bytes that are no message of the protocol */
export const fromServer = (bytes: Uint8Array): FromServer => {
  const { message } = ServerMessage.fromBinary(bytes);
  switch (message.case) {
    case 'register':
      return {
        kind: 'registered',
        workerId: message.value.workerId,
        serverVersion: message.value.serverInfo?.version ?? 'unknown',
      };
    case 'availability':
      return { kind: 'offer', job: jobOf(message.value.job) };
    case 'assignment':
      return {
        kind: 'assignment',
        job: jobOf(message.value.job),
        token: message.value.token,
        url: message.value.url || undefined,
      };
    case 'termination':
      return { kind: 'termination', jobId: message.value.jobId };
    case 'pong':
      return { kind: 'pong' };
    default:
      return { kind: 'other' };
  }
};
