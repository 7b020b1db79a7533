// Whom an outbound call is to, by whom, and how it stands.
import type { OutboundCall } from '@parlance/client';
import { Link } from '@tanstack/react-router';
import { CallStateBadge } from '../../components/call-status.js';
import { Card, Facts } from '../../components/card.js';
import { CopyableId, Duration, Moment, Money } from '../../components/values.js';
import { callWords } from '../../strings/call-words.js';
import { outboundStrings as strings } from '../../strings/outbound-calls.js';
import { useCurrency } from './use-agent-names.js';

const seconds = (value: number | null) => <Duration ms={value === null ? null : value * 1_000} />;

/** The name may run in the other direction than the number. */
const Callee = ({ call: { phoneNumber, username } }: { readonly call: OutboundCall }) => (
  <>
    {username !== null && <bdi className="block">{username}</bdi>}
    {phoneNumber}
  </>
);

/** The telephone network's words about a failure. */
const networkText = ({ error }: OutboundCall): string =>
  [error?.sipStatus === undefined ? '' : strings.sip(error.sipStatus), error?.providerCode, error?.detail]
    .filter(Boolean)
    .join(' · ');

const CampaignLink = ({ campaignId, row }: { readonly campaignId: string; readonly row: number | null }) => (
  <Link to="/campaigns/$campaignId" params={{ campaignId }} className="link">
    {strings.campaignRow(row)}
  </Link>
);

export const OutboundFacts = ({
  call,
  agentName,
}: {
  readonly call: OutboundCall;
  readonly agentName: string;
}) => {
  const currency = useCurrency();
  const network = networkText(call);
  return (
    <Card title={strings.facts}>
      <Facts
        facts={[
          { name: strings.state, value: <CallStateBadge {...call} /> },
          ...(call.endedReason === null
            ? []
            : [{ name: strings.why, value: callWords.endedReason[call.endedReason] }]),
          { name: strings.callee, value: <Callee call={call} /> },
          { name: strings.from, value: call.fromNumber },
          { name: strings.agent, value: agentName },
          { name: strings.mode, value: strings.modes[call.mode] },
          ...(call.campaignId === null
            ? []
            : [
                {
                  name: strings.campaign,
                  value: <CampaignLink campaignId={call.campaignId} row={call.rowNumber} />,
                },
              ]),
          ...(call.answeredBy === null
            ? []
            : [{ name: strings.answeredBy, value: callWords.answeredBy[call.answeredBy] }]),
          ...(network === '' ? [] : [{ name: strings.network, value: network }]),
          { name: strings.placed, value: <Moment at={call.createdAt} /> },
          ...(call.scheduledAt === null
            ? []
            : [{ name: strings.scheduled, value: <Moment at={call.scheduledAt} /> }]),
          ...(call.nextAttemptAt === null
            ? []
            : [{ name: strings.nextAttempt, value: <Moment at={call.nextAttemptAt} /> }]),
          { name: strings.ended, value: <Moment at={call.endedAt} /> },
          { name: strings.talked, value: seconds(call.durationSeconds) },
          {
            name: strings.cost,
            value: (
              <Money micros={currency === undefined ? null : call.costMicros} currency={currency ?? ''} />
            ),
          },
          { name: strings.rings, value: seconds(call.ringingTimeoutSeconds) },
          { name: strings.ids, value: <CopyableId id={call.id} name={strings.id} /> },
        ]}
      />
    </Card>
  );
};
