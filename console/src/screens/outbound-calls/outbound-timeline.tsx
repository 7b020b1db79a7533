// The timeline of an outbound call: each event with its reason.
import { Answered } from '../../components/answered.js';
import { linesOf } from '../../components/call-story.js';
import { Card } from '../../components/card.js';
import { Timeline } from '../../components/timeline.js';
import { useOperation } from '../../data/queries.js';
import { outboundStrings as strings } from '../../strings/outbound-calls.js';

export const OutboundTimeline = ({
  outboundId,
  everyMs,
}: {
  readonly outboundId: string;
  readonly everyMs: number | undefined;
}) => {
  const timeline = useOperation(
    'outboundCalls.timeline',
    { params: { outboundId } },
    everyMs === undefined ? {} : { everyMs },
  );
  return (
    <Card title={strings.happened}>
      <Answered query={timeline}>{({ entries }) => <Timeline lines={linesOf(entries)} />}</Answered>
    </Card>
  );
};
