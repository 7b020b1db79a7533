// A conversation by voice with an agent that is tried. LiveKit's client is large, so it is loaded at the click that begins.
import type { Agent } from '@parlance/client';
import type { AgentState, Problem, Line as Spoken, VoiceChannel } from '@parlance/widget/voice';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useCommand } from '../../../data/commands.js';
import { joinTalk } from './join-talk.js';
import type { Line } from './lines.js';

export type TalkPhase = 'idle' | 'opening' | 'talking' | 'reconnecting' | 'ended';

interface Talk {
  readonly phase: TalkPhase;
  readonly agent: AgentState;
  readonly lines: readonly Spoken[];
  readonly isMuted: boolean;
  /** True while the browser plays no sound before a click of the person. */
  readonly isSilenced: boolean;
  readonly microphone: MediaStreamTrack | undefined;
  /** The conversation ended because no agent came into the room. */
  readonly isAlone: boolean;
}

const idle: Talk = {
  phase: 'idle',
  agent: 'initializing',
  lines: [],
  isMuted: false,
  isSilenced: false,
  microphone: undefined,
  isAlone: false,
};

const toLine = ({ id, side, text }: Spoken): Line => ({
  key: id,
  text,
  kind: side === 'agent' ? 'agent' : 'user',
});

export const useTalk = (agentId: Agent['id']) => {
  const open = useCommand('agents.previewSession', { invalidates: [] });
  const [talk, setTalk] = useState(idle);
  const [problem, setProblem] = useState<Problem>();
  const [error, setError] = useState<unknown>();
  const channel = useRef<VoiceChannel>(undefined);
  /** Counts beginnings: late reports of an earlier conversation are not shown. */
  const turn = useRef(0);

  const leave = useCallback((): void => {
    turn.current += 1;
    channel.current?.close();
    channel.current = undefined;
  }, []);
  useEffect(() => leave, [leave]);

  const join = async (
    dynamicVariables: Readonly<Record<string, string>>,
    isLeft: () => boolean,
    change: (by: (before: Talk) => Partial<Talk>) => void,
  ): Promise<VoiceChannel | undefined> => {
    const voice = await import('@parlance/widget/voice');
    const telling = (failure: unknown): never => {
      if (!isLeft()) setProblem(voice.failureOf(failure).problem);
      throw failure;
    };
    return joinTalk({
      isLeft,
      microphone: async () => {
        const microphone = await voice.openMicrophone().catch(telling);
        change(() => ({ microphone }));
        return microphone;
      },
      open: async () => (await open.wish({ params: { agentId }, body: { dynamicVariables } }).send()).data,
      connect: (session, microphone) =>
        voice
          .connectVoice({
            session,
            microphone,
            volume: 1,
            events: {
              line: (line) => change(({ lines }) => ({ lines: voice.withLine(lines, line) })),
              agent: (agent) => change(() => ({ agent })),
              lost: () => change(() => ({ phase: 'reconnecting' })),
              recovered: () => change(() => ({ phase: 'talking' })),
              closed: (reason) =>
                change(({ agent, lines }) => ({
                  phase: 'ended',
                  isAlone: reason === 'agent' && agent === 'initializing' && lines.length === 0,
                })),
              silenced: (isSilenced) => change(() => ({ isSilenced })),
            },
          })
          .catch(telling),
    });
  };

  const begin = async (dynamicVariables: Readonly<Record<string, string>>): Promise<void> => {
    leave();
    const own = turn.current;
    const isLeft = (): boolean => turn.current !== own;
    const change = (by: (before: Talk) => Partial<Talk>): void => {
      if (!isLeft()) setTalk((before) => ({ ...before, ...by(before) }));
    };
    setProblem(undefined);
    setError(undefined);
    setTalk({ ...idle, phase: 'opening' });
    try {
      const joined = await join(dynamicVariables, isLeft, change);
      if (joined === undefined) return;
      channel.current = joined;
      change(({ phase }) => (phase === 'opening' ? { phase: 'talking' } : {}));
    } catch (failure) {
      if (isLeft()) return;
      setTalk(idle);
      setError(failure);
    }
  };

  const end = (): void => {
    leave();
    setTalk((before) => ({ ...before, phase: 'ended' }));
  };

  const mute = async (isMuted: boolean): Promise<void> => {
    await channel.current?.mute(isMuted);
    setTalk((before) => ({ ...before, isMuted }));
  };

  const playSound = async (): Promise<void> => channel.current?.playSound();

  const { lines, ...rest } = talk;
  return {
    ...rest,
    begin,
    end,
    mute,
    playSound,
    problem,
    error,
    lines: lines.map(toLine),
    session: open.data?.data,
  };
};
