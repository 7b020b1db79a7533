// The results of a call's analysis.
import type { CallLog } from '@parlance/client';
import { Card, Facts } from '../../components/card.js';
import { StatusBadge, type Tone } from '../../components/status.js';
import { callDetailStrings as strings } from '../../strings/call-detail.js';
import { ProvingTurns } from './proving-turns.js';

const tones: Readonly<Record<keyof typeof strings.goals, Tone>> = {
  success: 'good',
  failure: 'bad',
  unknown: 'neutral',
};

const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const Remark = ({ text }: { readonly text: string | null }) =>
  text === null ? null : (
    <span dir="auto" className="block text-xs text-ink-soft">
      {text}
    </span>
  );

export const CallAnalysis = ({ call }: { readonly call: CallLog }) => {
  const collected = Object.entries(call.dataCollected);
  const isEmpty =
    call.summary === null && call.successful === null && collected.length + call.evaluation.length === 0;
  if (isEmpty && call.analysisStatus !== 'failed') return null;
  return (
    <Card title={strings.analysis}>
      {call.analysisStatus === 'failed' && <p className="text-danger">{strings.analysisFailed}</p>}
      {call.summary !== null && (
        <p dir="auto" className="mb-3 whitespace-pre-wrap">
          {call.summary}
        </p>
      )}
      <Facts
        facts={[
          ...(call.successful === null
            ? []
            : [
                {
                  name: strings.goal,
                  value: (
                    <StatusBadge tone={tones[call.successful]}>{strings.goals[call.successful]}</StatusBadge>
                  ),
                },
              ]),
          ...collected.map(([name, { value, rationale, turns }]) => ({
            name,
            value: (
              <>
                <span dir="auto">{value === null ? strings.notCollected : valueText(value)}</span>
                <Remark text={rationale} />
                <ProvingTurns turns={turns} />
              </>
            ),
          })),
          ...call.evaluation.map(({ name, result, rationale, turns }) => ({
            name,
            value: (
              <>
                <StatusBadge tone={tones[result]}>{strings.goals[result]}</StatusBadge>
                <Remark text={rationale} />
                <ProvingTurns turns={turns} />
              </>
            ),
          })),
        ]}
      />
    </Card>
  );
};
