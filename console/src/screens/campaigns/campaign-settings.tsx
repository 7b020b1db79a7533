import type { BatchCampaign } from '@parlance/client';
import { Card, Facts } from '../../components/card.js';
import { Moment } from '../../components/values.js';
import { campaignStrings as strings } from '../../strings/campaigns.js';
import { moneyText } from '../../strings/format.js';
import { paceText, retriesText, windowText } from './campaign-words.js';
import { useCurrency } from './use-currency.js';

/** The settings that the campaign was created with. */
export const CampaignSettings = ({ campaign }: { readonly campaign: BatchCampaign }) => {
  const { callingWindow, timezone, retryPolicy, callsPerSecond, maxConcurrency, budget } = campaign;
  const currency = useCurrency();
  const ended = campaign.completedAt ?? campaign.cancelledAt;
  return (
    <Card title={strings.settings}>
      <Facts
        facts={[
          { name: strings.agent, value: <bdi>{campaign.agentName}</bdi> },
          { name: strings.from, value: campaign.fromNumber },
          {
            name: strings.begins,
            value: campaign.scheduledAt === null ? strings.atOnce : <Moment at={campaign.scheduledAt} />,
          },
          { name: strings.created, value: <Moment at={campaign.createdAt} /> },
          { name: strings.started, value: <Moment at={campaign.startedAt} /> },
          { name: strings.ended, value: <Moment at={ended} /> },
          {
            name: strings.window,
            value: callingWindow === null ? strings.noWindow : windowText(callingWindow, timezone),
          },
          { name: strings.retries, value: retriesText(retryPolicy) },
          { name: strings.pace, value: paceText(callsPerSecond, maxConcurrency) },
          {
            name: strings.budget,
            value: budget === null ? strings.none : moneyText(budget.maxCostMicros, currency),
          },
        ]}
      />
    </Card>
  );
};
