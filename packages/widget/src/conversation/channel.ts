// The way to the agent: a room for voice, requests for text. A conversation has one, and knows no more of it than this.
import type { Session } from '../wire/shapes.js';
import type { AgentState } from './phase.js';
import type { Line } from './transcript.js';

export interface ChannelEvents {
  line(line: Line): void;
  agent(state: AgentState): void;
  lost(): void;
  recovered(): void;
  /** The other side has ended it, or it cannot be mended. */
  closed(reason: 'agent' | 'network'): void;
  /** True while the browser plays no sound before the visitor clicks. */
  silenced(isSilenced: boolean): void;
}

export interface Channel {
  /** @returns false when the text did not leave */
  send(text: string, id: string): Promise<boolean>;
  close(): void;
}

export interface Device {
  readonly id: string;
  readonly label: string;
}

export interface Devices {
  readonly inputs: readonly Device[];
  /** Empty where the browser cannot choose. */
  readonly outputs: readonly Device[];
  readonly input: string | undefined;
  readonly output: string | undefined;
}

export interface VoiceChannel extends Channel {
  mute(isMuted: boolean): Promise<void>;
  /** @param volume 0 to 1 */
  setVolume(volume: number): void;
  devices(): Promise<Devices>;
  choose(kind: 'input' | 'output', id: string): Promise<void>;
  /** Plays the sound; the caller calls it in a click of the visitor. */
  playSound(): Promise<void>;
}

export interface VoiceCall {
  /** The room to join; without both of address and token there is none. */
  readonly session: Pick<Session, 'serverUrl' | 'token' | 'iceServers'>;
  readonly microphone: MediaStreamTrack;
  readonly volume: number;
  readonly events: ChannelEvents;
}

/** Joins the room of a session. @throws Trouble media, no-agent */
export type ConnectVoice = (call: VoiceCall) => Promise<VoiceChannel>;
