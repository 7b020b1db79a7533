// The timeline of a call: each event with its reason.
import { Answered } from '../../components/answered.js';
import { linesOf } from '../../components/call-story.js';
import { Card } from '../../components/card.js';
import { Notice } from '../../components/status.js';
import { Timeline } from '../../components/timeline.js';
import { useOperation } from '../../data/queries.js';
import { callDetailStrings as strings } from '../../strings/call-detail.js';

export const CallTimeline = ({
  callId,
  everyMs,
}: {
  readonly callId: string;
  readonly everyMs: number | undefined;
}) => {
  const timeline = useOperation(
    'calls.timeline',
    { params: { callId } },
    everyMs === undefined ? {} : { everyMs },
  );
  return (
    <Card title={strings.timeline}>
      <Answered query={timeline}>
        {({ entries, isCut, missing }) => (
          <>
            {missing.length > 0 && <Notice tone="attention">{strings.timelineMissing}</Notice>}
            <Timeline lines={linesOf(entries)} />
            {isCut && <p className="text-ink-soft">{strings.timelineCut}</p>}
          </>
        )}
      </Answered>
    </Card>
  );
};
