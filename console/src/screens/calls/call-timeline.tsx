// What happened to a call, and why.
import type { CallLog } from '@parlance/client';
import { useCan } from '../../app/permission.js';
import { Card } from '../../components/card.js';
import { Timeline } from '../../components/timeline.js';
import { useOperation } from '../../data/queries.js';
import { callDetailStrings as strings } from '../../strings/call-detail.js';
import { linesOf } from './call-story.js';

export const CallTimeline = ({
  call,
  everyMs,
}: {
  readonly call: CallLog;
  readonly everyMs: number | undefined;
}) => {
  const may = useCan('outboundCalls.get');
  const { data: outbound } = useOperation(
    'outboundCalls.get',
    { params: { outboundId: call.outboundCallId ?? '' } },
    {
      enabled: call.outboundCallId !== null && may.allowed,
      ...(everyMs === undefined ? {} : { everyMs }),
    },
  );
  return (
    <Card title={strings.timeline}>
      <Timeline lines={linesOf(call, outbound)} />
    </Card>
  );
};
