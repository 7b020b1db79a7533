// One call: transcript, timeline, cost, and messages to webhooks.
import type { CallLog } from '@parlance/client';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { Guarded } from '../../app/permission.js';
import { Answered } from '../../components/answered.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { JsonView } from '../../components/code.js';
import { confirmThat } from '../../components/confirm.js';
import { CopyAsCurl } from '../../components/copy-as-curl.js';
import { NotFound, notFoundIn } from '../../components/not-found.js';
import { Page } from '../../components/page.js';
import { partyOf } from '../../components/party.js';
import { Notice } from '../../components/status.js';
import { toast } from '../../components/toasts.js';
import { useCommand } from '../../data/commands.js';
import { useFollowed } from '../../data/follow.js';
import { callDetailStrings as strings } from '../../strings/call-detail.js';
import { callStrings } from '../../strings/calls.js';
import { CallAnalysis } from './call-analysis.js';
import { CallCost } from './call-cost.js';
import { CallFacts } from './call-facts.js';
import { followEveryMs, isOver } from './call-follow.js';
import { CallTimeline } from './call-timeline.js';
import { EndCall } from './end-call.js';
import { ErasePerson } from './erase-person.js';
import { Recording } from './recording.js';
import { ToolRuns } from './tool-runs.js';
import { Transcript } from './transcript.js';
import { WebhookMessages } from './webhook-messages.js';

const route = getRouteApi('/app/calls/$callId');
const back = { to: '/calls', label: callStrings.title };

const DeleteCall = ({ call }: { readonly call: CallLog }) => {
  const remove = useCommand('calls.delete', { invalidates: ['calls.list', 'calls.live', 'dashboard.'] });
  const navigate = useNavigate();
  const party = partyOf(call);
  const ask = (): void =>
    confirmThat({
      title: callStrings.deleteTitle(party, call.agentName),
      text: callStrings.deleteText,
      action: callStrings.delete,
      wish: remove.wish({ params: { callId: call.id } }),
      done: async () => {
        await navigate({ to: '/calls' });
        toast.done(callStrings.deleted(party));
      },
    });
  return (
    <Guarded operation="calls.delete">
      <Button kind="danger" icon={<Trash2 aria-hidden className="size-4" />} onClick={ask}>
        {callStrings.delete}
      </Button>
    </Guarded>
  );
};

const Variables = ({ call }: { readonly call: CallLog }) => {
  const { dynamicVariables, metadata } = call;
  if (Object.keys(dynamicVariables).length + Object.keys(metadata).length === 0) return null;
  return (
    <Card title={strings.variables}>
      <div className="flex flex-col gap-3">
        <JsonView name={strings.variablesName} value={dynamicVariables} />
        {Object.keys(metadata).length > 0 && <JsonView name={strings.metadataName} value={metadata} />}
      </div>
    </Card>
  );
};

const CallParts = ({ call, everyMs }: { readonly call: CallLog; readonly everyMs: number | undefined }) => {
  const player = useRef<HTMLAudioElement>(null);
  const [playsAt, setPlaysAt] = useState<number>();
  const play = (ms: number): void => {
    if (player.current === null) return;
    player.current.currentTime = ms / 1_000;
    void player.current.play();
  };
  return (
    <>
      {!isOver(call) && <Notice>{strings.live}</Notice>}
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex flex-col gap-5">
          <Transcript
            call={call}
            everyMs={everyMs}
            playsAt={playsAt}
            onPlay={call.recording.url === null ? undefined : play}
          />
          <CallTimeline callId={call.id} everyMs={everyMs} />
        </div>
        <div className="flex flex-col gap-5">
          <CallFacts call={call} />
          <Recording recording={call.recording} player={player} onTime={setPlaysAt} />
          <CallAnalysis call={call} />
          <CallCost call={call} />
          <ToolRuns call={call} />
          <WebhookMessages callId={call.id} everyMs={everyMs} />
          <Variables call={call} />
        </div>
      </div>
    </>
  );
};

export const CallScreen = () => {
  const { callId } = route.useParams();
  const parts = { params: { callId } };
  const [call, everyMs] = useFollowed('calls.get', parts, followEveryMs);
  if (notFoundIn(call.error))
    return <NotFound title={callStrings.notFound} text={callStrings.notFoundText} back={back} />;
  return (
    <Page
      title={call.data === undefined ? callStrings.title : callStrings.callTitle(partyOf(call.data))}
      back={back}
      actions={
        call.data !== undefined && (
          <>
            <CopyAsCurl operation="calls.get" parts={parts} />
            {isOver(call.data) && <ErasePerson call={call.data} />}
            {isOver(call.data) ? <DeleteCall call={call.data} /> : <EndCall call={call.data} />}
          </>
        )
      }
    >
      <Answered query={call}>{(data) => <CallParts call={data} everyMs={everyMs} />}</Answered>
    </Page>
  );
};
