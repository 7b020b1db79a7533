// Last step: what is about to happen, and what it costs in the worst case, in words.
import type { BatchPreview } from '@parlance/client';
import { useContext } from 'react';
import { useFormContext } from 'react-hook-form';
import { Answered } from '../../components/answered.js';
import { Card } from '../../components/card.js';
import { Notice } from '../../components/status.js';
import { TimeZone } from '../../components/values.js';
import { useList, useOperation } from '../../data/queries.js';
import { wizardStrings as strings } from '../../strings/campaign-wizard.js';
import { durationText, momentText, moneyText, numberText } from '../../strings/format.js';
import { paceText, retriesText, windowText } from './campaign-words.js';
import { type CampaignValues, toPreviewBody } from './wizard-values.js';

const secondMs = 1_000;
/** The platform's own values for settings without one. */
const usualPerSecond = 1;

const beginSentence = ({ begins, scheduledAt }: CampaignValues, zone: string): string =>
  begins === 'later' && scheduledAt !== null
    ? strings.laterSentence(momentText(scheduledAt, zone))
    : strings.nowSentence;

const Plan = ({ preview, values }: { readonly preview: BatchPreview; readonly values: CampaignValues }) => {
  const zone = useContext(TimeZone);
  const agents = useList('agents.list', {});
  const agent = agents.rows?.find(({ id }) => id === values.agentId)?.name ?? strings.agent;
  const { rows, estimate } = preview;
  const left = rows.total - rows.good;
  const window = values.hasWindow
    ? strings.windowSentence(
        windowText(values.callingWindow, values.timezone === '' ? zone : values.timezone),
      )
    : strings.anyHourSentence;
  const pace = paceText(values.callsPerSecond ?? usualPerSecond, values.maxConcurrency);
  return (
    <Card title={<bdi>{strings.reviewTitle(values.name)}</bdi>}>
      <ul className="flex list-disc flex-col gap-1.5 pl-5">
        <li className="font-medium">
          {strings.whoSentence(strings.people(rows.good, numberText(rows.good)), agent, values.fromNumber)}
        </li>
        {left > 0 && <li>{strings.skipSentence(strings.rows(left, numberText(left)))}</li>}
        {!preview.complete && <li className="font-medium text-warn">{strings.atLeast}</li>}
        <li>{beginSentence(values, zone)}</li>
        <li>{window}</li>
        <li>{strings.retrySentence(retriesText(values.retryPolicy))}</li>
        <li>{strings.paceSentence(pace, durationText(estimate.seconds * secondMs))}</li>
      </ul>
    </Card>
  );
};

const Cost = ({ preview, values }: { readonly preview: BatchPreview; readonly values: CampaignValues }) => {
  const { currency, attempts, longestSeconds, worstCaseMicros, unknownRates } = preview.cost;
  const { maxCostMicros } = values.budget;
  return (
    <Card title={strings.worstTitle}>
      <div className="flex flex-col gap-2">
        <p className="text-2xl font-semibold tabular-nums">{moneyText(worstCaseMicros, currency)}</p>
        <p>
          {strings.worstSentence(
            moneyText(worstCaseMicros, currency),
            strings.attempts(attempts),
            durationText(longestSeconds * secondMs),
          )}
        </p>
        <p className="text-ink-soft">{strings.worstHint}</p>
        {unknownRates > 0 && (
          <p className="text-warn">
            {strings.unknownRates(strings.rows(unknownRates, numberText(unknownRates)))}
          </p>
        )}
        {maxCostMicros !== null && <p>{strings.budgetSentence(moneyText(maxCostMicros, currency))}</p>}
        {maxCostMicros !== null && maxCostMicros < worstCaseMicros && (
          <Notice tone="attention">{strings.budgetBelow}</Notice>
        )}
      </div>
    </Card>
  );
};

export const StepReview = () => {
  const values = useFormContext<CampaignValues>().getValues();
  const query = useOperation('outboundCalls.previewBatch', { body: toPreviewBody(values) }, { once: true });
  return (
    <Answered query={query}>
      {(preview) =>
        preview.refusal === null ? (
          <div className="grid items-start gap-4 lg:grid-cols-[2fr_1fr]">
            <Plan preview={preview} values={values} />
            <Cost preview={preview} values={values} />
          </div>
        ) : (
          <Notice tone="bad">
            <p className="font-medium">{strings.refused(preview.refusal.message)}</p>
          </Notice>
        )
      }
    </Answered>
  );
};
