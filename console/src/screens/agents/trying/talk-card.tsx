// Tries an agent by voice: the page joins the room of a preview with the microphone of the person.
import { type Agent, isApiError } from '@parlance/client';
import type { Problem } from '@parlance/widget/voice';
import { Guarded } from '../../../app/permission.js';
import { AnswerBars } from '../../../components/answer-bars.js';
import { AnsweringModel } from '../../../components/answering-model.js';
import { Button } from '../../../components/button.js';
import { Card } from '../../../components/card.js';
import { CopyAsCurl } from '../../../components/copy-as-curl.js';
import { ErrorNote } from '../../../components/error-note.js';
import { Notice, StatusBadge } from '../../../components/status.js';
import { agentPageStrings } from '../../../strings/agent.js';
import { withInterruptions } from './interruptions.js';
import { Lines } from './lines.js';
import { MicrophoneLevel } from './microphone-level.js';
import { SessionNote } from './session-note.js';
import { useTalk } from './use-talk.js';
import { useTurns } from './use-turns.js';

const strings = agentPageStrings.try;

const isMicrophone = (problem: Problem): problem is Extract<Problem, `microphone-${string}`> =>
  problem.startsWith('microphone-');

const Failure = ({ problem, error }: { readonly problem: Problem | undefined; readonly error: unknown }) => {
  if (problem !== undefined && isMicrophone(problem))
    return <Notice tone="attention">{strings.microphone[problem]}</Notice>;
  if (problem !== undefined || isApiError(error, 'PROVIDER_UNAVAILABLE'))
    return (
      <Notice tone="attention">
        <p className="font-medium">{problem === undefined ? strings.noServer : strings.notJoined}</p>
        <p>{strings.setUpVoice}</p>
      </Notice>
    );
  return <ErrorNote error={error} />;
};

export const TalkCard = ({
  agent,
  variables,
}: {
  readonly agent: Agent;
  readonly variables: Readonly<Record<string, string>>;
}) => {
  const talk = useTalk(agent.id);
  const { phase, lines, isMuted, isSilenced, isAlone, microphone, problem, error, session } = talk;
  const turns = useTurns(
    phase === 'idle' || phase === 'opening' ? undefined : session?.callId,
    phase === 'ended',
  );
  const isOpen = phase === 'talking' || phase === 'reconnecting';
  const parts = {
    params: { agentId: agent.id },
    body: Object.keys(variables).length === 0 ? {} : { dynamicVariables: variables },
  };
  return (
    <Card title={strings.voice} actions={<CopyAsCurl operation="agents.previewSession" parts={parts} />}>
      <div className="flex flex-col gap-4">
        <p className="text-ink-soft">
          {strings.voiceText} {strings.unsaved}
        </p>
        {lines.length > 0 && (
          <Lines lines={withInterruptions(lines, turns)} name={strings.spoken} isAnswering={false} />
        )}
        <AnsweringModel turns={turns} />
        <AnswerBars turns={turns} />
        {error !== undefined && <Failure problem={problem} error={error} />}
        {phase === 'ended' &&
          (isAlone ? (
            <Notice tone="attention">
              <p className="font-medium">{strings.nobodyCame}</p>
              <p>{strings.setUpVoice}</p>
            </Notice>
          ) : (
            <Notice>{strings.talkOver}</Notice>
          ))}
        <div className="flex flex-wrap items-center gap-3">
          {isOpen ? (
            <>
              <Button kind="danger" onClick={talk.end}>
                {strings.hangUp}
              </Button>
              <Button aria-pressed={isMuted} onClick={() => void talk.mute(!isMuted)}>
                {strings.mute}
              </Button>
              {isSilenced && <Button onClick={() => void talk.playSound()}>{strings.playSound}</Button>}
            </>
          ) : (
            <Guarded operation="agents.previewSession">
              <Button
                kind={session === undefined ? 'primary' : 'secondary'}
                busy={phase === 'opening'}
                onClick={() => void talk.begin(variables)}
              >
                {session === undefined ? strings.start : strings.again}
              </Button>
            </Guarded>
          )}
          <span role="status">
            {isOpen && (
              <StatusBadge tone={phase === 'talking' ? 'good' : 'attention'}>
                {phase === 'talking' ? strings.agentStates[talk.agent] : strings.reconnecting}
              </StatusBadge>
            )}
          </span>
          {isOpen && microphone !== undefined && <MicrophoneLevel track={microphone} />}
          {session !== undefined && <SessionNote session={session} />}
        </div>
      </div>
    </Card>
  );
};
